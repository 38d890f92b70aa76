//! How the work of a recording is divided among names, categories and kinds: what decides which property gives colors, and
//! which of the ten hues names and categories have.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::entries::{IDLE_ENTRY, color_of_name};
use super::kind_rules::KindRules;
use crate::work::{WorkSlices, is_state_track};
use flowline_profile::persist::persist;
use flowline_profile::{ColorBy, Kind, Profile, Thread, TrackKind, is_cpus_pid, parallel_chunk_size};

/// Kinds give the colors if at least one in so many of the work has a known one.
const KNOWN: i64 = 4;

/// The work of a recording, and how much of it has a known kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct KindShare {
    /// Nanoseconds of work with a kind other than `System`, by self time.
    pub known: i64,
    /// Nanoseconds of all work, by self time.
    pub all: i64,
    /// Number of categories with work.
    pub categories: u32,
    /// True if the recording has sampled calls, which have files.
    pub has_calls: bool,
}
persist!(KindShare { known, all, categories, has_calls });

impl KindShare {
    /// The property that gives the most useful colors: kinds, unless less than a quarter of the work has a known one.
    #[must_use]
    pub const fn best(self) -> ColorBy {
        match self.known.saturating_mul(KNOWN) < self.all {
            true if self.categories > 1 && !self.has_calls => ColorBy::Category,
            true => ColorBy::Name,
            false => ColorBy::Kind,
        }
    }

    /// The share of the work with a known kind; `None` without work.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn known_share(self) -> Option<f64> {
        (self.all > 0).then(|| self.known as f64 / self.all as f64)
    }

    /// The properties that can give colors. Only calls have files, and a recording with calls states no colors of categories.
    #[must_use]
    pub const fn choices(self) -> [ColorBy; 3] {
        if self.has_calls {
            [ColorBy::Kind, ColorBy::Name, ColorBy::File]
        } else {
            [ColorBy::Kind, ColorBy::Category, ColorBy::Name]
        }
    }
}

/// Self time of work in nanoseconds.
#[derive(Clone, Debug, Default)]
pub(super) struct WorkSums {
    by_name: Vec<i64>,
    by_category: Vec<i64>,
    known: i64,
}

impl WorkSums {
    /// The work of all threads or, if these have none, of all tracks, or else all intervals.
    pub(super) fn of(profile: &Profile, rules: &KindRules<'_>) -> Self {
        let is_thread = |thread: &Thread| thread.kind == TrackKind::Thread;
        let of_threads = Self::of_tracks(profile, rules, (false, is_thread));
        if of_threads.all() > 0 {
            return of_threads;
        }
        let of_tracks = Self::of_tracks(profile, rules, (false, |_: &Thread| true));
        if of_tracks.all() > 0 { of_tracks } else { Self::of_tracks(profile, rules, (true, |_: &Thread| true)) }
    }

    /// Adds up the work of some tracks, in parallel.
    fn of_tracks(
        profile: &Profile,
        rules: &KindRules<'_>,
        (is_any, wanted): (bool, impl Fn(&Thread) -> bool + Sync),
    ) -> Self {
        let empty = || Self {
            by_name: vec![0; profile.strings.len()],
            by_category: vec![0; profile.categories.len()],
            known: 0,
        };
        let add = |mut sums: Self, thread: &Thread| {
            if wanted(thread) {
                sums.add(profile, rules, thread, is_any);
            }
            sums
        };
        let threads = profile.threads.par_iter().with_min_len(parallel_chunk_size(profile.threads.len()));
        threads.fold(empty, add).reduce(empty, |mut all, other| {
            all.by_name.iter_mut().zip(other.by_name).for_each(|(sum, own)| *sum = sum.saturating_add(own));
            all.by_category.iter_mut().zip(other.by_category).for_each(|(sum, own)| *sum = sum.saturating_add(own));
            Self { known: all.known.saturating_add(other.known), ..all }
        })
    }

    /// Adds the work of a track; with `is_any`, all of its intervals except instants.
    fn add(&mut self, profile: &Profile, rules: &KindRules<'_>, thread: &Thread, is_any: bool) {
        if is_cpus_pid(&profile.processes[thread.process.index()].pid) || is_state_track(profile, thread) {
            return;
        }
        let (attributes, work) = (thread.markers.attributes(), WorkSlices::of(profile, thread));
        let mut own = vec![0_i64; attributes.items().len()];
        // The open slices, the innermost last.
        let mut open: Vec<(i64, usize)> = Vec::new();
        for (number, range) in attributes.numbers().zip(thread.markers.times().ranges()) {
            if !is_any && !work.contains(number) {
                continue;
            }
            let (start, end) = (range.start.0, range.end.0);
            while open.last().is_some_and(|(until, _)| *until <= start) {
                open.pop();
            }
            own[number] = own[number].saturating_add(end.saturating_sub(start));
            if let Some((until, outer)) = open.last() {
                own[*outer] = own[*outer].saturating_sub(end.min(*until).saturating_sub(start));
            }
            open.push((end, number));
        }
        for (item, time) in attributes.items().iter().zip(own).filter(|(_, time)| *time > 0) {
            let entry = rules.marker_entry(thread, item);
            if entry == IDLE_ENTRY {
                continue;
            }
            if let Some(sum) = self.by_name.get_mut(item.name.index()) {
                *sum = sum.saturating_add(time);
            }
            if let Some(sum) = self.by_category.get_mut(item.category().index()) {
                *sum = sum.saturating_add(time);
            }
            if entry != Kind::System as u8 {
                self.known = self.known.saturating_add(time);
            }
        }
    }

    fn all(&self) -> i64 {
        self.by_category.iter().fold(0, |sum, own| sum.saturating_add(*own))
    }

    pub(super) fn share(&self, profile: &Profile) -> KindShare {
        let categories = self.by_category.iter().filter(|time| **time > 0).count();
        let has_calls = |thread: &Thread| thread.samples.as_ref().is_some_and(|samples| samples.has_calls());
        KindShare {
            known: self.known,
            all: self.all(),
            categories: u32::try_from(categories).unwrap_or(u32::MAX),
            has_calls: profile.threads.iter().any(has_calls),
        }
    }

    /// The hues of all names.
    pub(super) fn hues_of_names(&self, profile: &Profile) -> Vec<u8> {
        let names = profile.strings.iter().map(|(_, name)| name);
        hues(&names.zip(self.by_name.iter().copied()).collect::<Vec<_>>())
    }

    /// The hues of all categories.
    pub(super) fn hues_of_categories(&self, profile: &Profile) -> Vec<u8> {
        let names = profile.categories.iter().map(|category| category.name.as_str());
        hues(&names.zip(self.by_category.iter().copied()).collect::<Vec<_>>())
    }
}

/// A hue for each text. The texts with most time have different ones; with the same texts they are the same in every
/// recording. Digits do not matter, so that numbered names have the same hue.
fn hues(texts: &[(&str, i64)]) -> Vec<u8> {
    let key = |text: &str| -> String { text.chars().filter(|letter| !letter.is_ascii_digit()).collect() };
    let mut times: BTreeMap<String, i64> = BTreeMap::new();
    for (text, time) in texts.iter().filter(|(_, time)| *time > 0) {
        let sum = times.entry(key(text)).or_insert(0);
        *sum = sum.saturating_add(*time);
    }
    let mut longest: Vec<(&String, i64)> = times.iter().map(|(text, time)| (text, *time)).collect();
    longest.sort_by_key(|(text, time)| (std::cmp::Reverse(*time), *text));
    longest.truncate(Kind::ALL.len());
    // In alphabetical order, so that a slightly different recording has the same hues.
    longest.sort_by_key(|(text, _)| *text);
    let mut chosen: BTreeMap<&str, u8> = BTreeMap::new();
    for (text, _) in longest {
        let wanted = usize::from(color_of_name(text));
        let free = (0..Kind::ALL.len()).map(|step| Kind::ALL[(wanted + step) % Kind::ALL.len()] as u8);
        let hue = free.into_iter().find(|hue| !chosen.values().any(|taken| taken == hue));
        chosen.insert(text, hue.unwrap_or(Kind::System as u8));
    }
    let hue = |text: &str| chosen.get(key(text).as_str()).copied().unwrap_or_else(|| color_of_name(text));
    texts.iter().map(|(text, _)| hue(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::hues;

    #[test]
    fn the_ten_names_with_most_time_have_ten_hues() {
        let names: Vec<String> = (b'a'..=b'z').map(|letter| format!("step {}", char::from(letter))).collect();
        let texts: Vec<(&str, i64)> = names.iter().map(String::as_str).zip((1..).map(|rank| rank * 10)).collect();
        let all = hues(&texts);
        let mut last: Vec<u8> = all[16..].to_vec();
        last.sort_unstable();
        last.dedup();
        assert_eq!(last.len(), 10, "{all:?}");
        let reversed: Vec<(&str, i64)> = texts.iter().rev().map(|(text, time)| (*text, time * 7)).collect();
        let reversed = hues(&reversed);
        assert!(reversed.into_iter().rev().eq(all), "the order of the file and equal proportions do not matter");
    }

    #[test]
    fn digits_do_not_matter() {
        let all = hues(&[("job 1", 5), ("job 2", 7), ("other", 1)]);
        assert!(all[0] == all[1] && all[0] != all[2], "{all:?}");
    }
}
