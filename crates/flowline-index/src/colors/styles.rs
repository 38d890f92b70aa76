//! Marker styles. The color comes from the schema's color field if there is one, otherwise from the kind of work.

use rayon::prelude::*;

use super::entries::{color_index, color_of_name};
use super::entry_colors::EntryColors;
use super::kind_rules::KindRules;
use super::work_sums::{KindShare, WorkSums};
use crate::rows::Style;
use crate::work::is_state_track;
use flowline_profile::persist::persist;
use flowline_profile::{
    Attributes, Column, LocalMarker, MarkerFlags, MarkerId, Profile, Thread, Value, is_cpus_pid, parallel_chunk_size,
};

/// The style of every marker in two bytes, so that drawing a frame reads neither categories nor payloads.
#[derive(Clone, Debug, Default)]
pub struct Styles {
    bits: Column<u16>,
    /// The share of work with a known kind, and the number of categories.
    pub(crate) kinds: KindShare,
}
persist!(Styles { bits, kinds });

impl Styles {
    /// Computes the styles of all markers, threads in parallel.
    #[must_use]
    pub fn build(profile: &Profile) -> Self {
        let rules = StyleRules::new(profile);
        let to_bits = |style: Style| u16::try_from(style.bits()).unwrap_or(0);
        let style_thread = |(thread, bits): (&Thread, &mut [u16])| {
            let attributes = thread.markers.attributes();
            // Markers with equal attributes share a style, unless their payloads contain colors.
            let mut by_attributes: Vec<_> = attributes.items().iter().map(|own| rules.style(thread, own)).collect();
            if rules.is_core(thread) {
                rules.color_by_process(thread, &mut by_attributes);
            }
            for (marker, (number, bits)) in attributes.numbers().zip(bits).enumerate() {
                let (style, from_payload) = by_attributes[number];
                let own = || payload_color(profile, thread, LocalMarker::new(marker));
                let color = if from_payload { own() } else { None };
                *bits = to_bits(color.map_or(style, |color| style.with_colors(EntryColors::fixed(color))));
            }
        };
        let mut styles = vec![0_u16; profile.marker_count()];
        let (mut left, mut parts) = (&mut styles[..], Vec::new());
        for thread in &profile.threads {
            let (own, others) = left.split_at_mut(thread.markers.len());
            left = others;
            parts.push((thread, own));
        }
        parts.into_par_iter().with_max_len(parallel_chunk_size(profile.threads.len())).for_each(style_thread);
        for (marker, word) in profile.marker_colors.iter() {
            if let Some(bits) = styles.get_mut(marker.index()) {
                let style = Style::from_bits(*bits).with_colors(EntryColors::fixed(color_index(word)));
                *bits = u16::try_from(style.bits()).unwrap_or(*bits);
            }
        }
        Self { bits: styles.into(), kinds: rules.share }
    }

    /// The style of a marker.
    #[must_use]
    #[inline]
    pub fn get(&self, marker: MarkerId) -> Style {
        Style::from_bits(self.bits.get(marker.index()).copied().unwrap_or(0))
    }

    /// The style bits of up to `count` markers, starting with `first`.
    pub(crate) fn bits_from(&self, first: MarkerId, count: usize) -> &[u16] {
        let bits: &[u16] = &self.bits;
        let from = first.index().min(bits.len());
        &bits[from..from.saturating_add(count).min(bits.len())]
    }

    /// Number of markers.
    pub(crate) fn len(&self) -> usize {
        self.bits.len()
    }

    /// Heap bytes used.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.bits.heap_bytes()
    }
}

/// Rules that determine the colors of a profile's markers.
#[derive(Debug)]
struct StyleRules<'a> {
    profile: &'a Profile,
    kinds: KindRules<'a>,
    /// For each payload type, true if its schema has a color field.
    from_payload: Vec<bool>,
    /// Palette entries of all names.
    by_name: Vec<u8>,
    /// Palette entries of all categories: the stated one, or else a hue.
    by_category: Vec<u8>,
    share: KindShare,
}

impl<'a> StyleRules<'a> {
    fn new(profile: &'a Profile) -> Self {
        let kinds = KindRules::new(profile);
        let sums = WorkSums::of(profile, &kinds);
        let hues = sums.hues_of_categories(profile).into_iter().enumerate();
        Self {
            by_name: sums.hues_of_names(profile),
            by_category: hues.map(|(category, hue)| kinds.stated_entry(category).unwrap_or(hue)).collect(),
            share: sums.share(profile),
            kinds,
            profile,
            from_payload: profile
                .types
                .iter()
                .map(|(_, kind)| kind.schema.as_ref().is_some_and(|schema| schema.color_field.is_some()))
                .collect(),
        }
    }

    /// The style of markers of a thread with the given attributes, and true if their payloads may override the color.
    fn style(&self, thread: &Thread, of: &Attributes) -> (Style, bool) {
        let kind = self.kinds.marker_entry(thread, of);
        let name = self.by_name.get(of.name.index()).copied().unwrap_or(kind);
        let category = self.by_category.get(of.category().index()).copied().filter(|_| !self.share.has_calls);
        let colors = EntryColors { kind, name, group: category.unwrap_or(kind) };
        let style = Style::of(colors).with_instant(of.flags.has(MarkerFlags::INSTANT));
        let from_payload = of.kind().is_some_and(|kind| self.from_payload.get(kind.index()) == Some(&true));
        (style.with_incomplete(of.flags.has(MarkerFlags::INCOMPLETE)), from_payload)
    }
}

impl StyleRules<'_> {
    /// True for the track of a CPU, whose slices are the threads that ran.
    fn is_core(&self, thread: &Thread) -> bool {
        is_cpus_pid(&self.profile.processes[thread.process.index()].pid) && !is_state_track(self.profile, thread)
    }

    /// Colors what ran on a CPU by process. Slices of the same name have the process of the first one, because reading the
    /// process of each would take long.
    fn color_by_process(&self, core: &Thread, styles: &mut [(Style, bool)]) {
        let mut firsts: Vec<Option<LocalMarker>> = vec![None; styles.len()];
        for (marker, number) in core.markers.attributes().numbers().enumerate() {
            firsts[number].get_or_insert(LocalMarker::new(marker));
        }
        for ((style, _), first) in styles.iter_mut().zip(firsts) {
            let Some(first) = first else { continue };
            let payload = self.profile.payload_in(core, first);
            let number = |key: &str| match payload.get(key) {
                Some(Value::Int(number)) => Some(letters_of(*number)),
                _ => None,
            };
            let process = payload.get("process").and_then(Value::as_str).map(str::to_owned);
            // Without a known process, the thread decides.
            let process = process.or_else(|| number("pid")).or_else(|| number("tid"));
            let process = process.map_or(style.colors().name, |process| color_of_name(&process));
            *style = style.with_colors(EntryColors { kind: process, ..style.colors() });
        }
    }
}

/// A number in letters, because hues ignore digits.
fn letters_of(number: i64) -> String {
    number.to_string().bytes().map(|digit| char::from(digit.saturating_add(49))).collect()
}

/// The palette entry of the color word in the payload.
fn payload_color(profile: &Profile, thread: &Thread, marker: LocalMarker) -> Option<u8> {
    let schema = profile.types.schema(thread.markers.kind(marker)?)?;
    let key = schema.color_field.as_deref()?;
    let payload = profile.payload_in(thread, marker);
    match payload.get(key)? {
        Value::String(word) => Some(color_index(word)),
        Value::Int(index) => {
            let index = u64::try_from(*index).ok()?;
            Some(color_index(&thread.strings.get(profile.source.bytes(), index)?))
        }
        _ => None,
    }
}
