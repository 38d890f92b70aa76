//! The deltas in a packet of a cut. Packet times of incremental clocks, times and CPU times of old track events, and
//! incremental counters add up over a sequence. Where the cut lacks packets, the sum of the whole trace is ahead of that
//! of the cut, and the next delta makes up for it.

use smallvec::SmallVec;

use super::message::{MessageBytes, raw_fields};
use crate::perfetto::first_pass::Facts;
use crate::perfetto::packet::{Packet, kind};
use crate::perfetto::sequence::{Defaults, Sequence};
use crate::perfetto::track_event::TrackEvent;
use crate::perfetto::wire::Fields;

/// Type of track events with a counter value.
const COUNTER: u64 = 4;

/// Changes of a packet.
#[derive(Debug, Default)]
pub(super) struct PacketChanges {
    /// The timestamp to write.
    pub(super) timestamp: Option<u64>,
    /// The payload to write.
    pub(super) payload: Option<Vec<u8>>,
}

/// The states of a sequence before a packet: that of the whole trace, and that of the cut.
pub(super) struct States<'a> {
    pub(super) whole: &'a Sequence,
    pub(super) cut: &'a Sequence,
}

impl States<'_> {
    /// Returns the changes that make the packet the same in the cut as in the whole trace.
    pub(super) fn changes(&self, packet: &Packet<'_>, facts: &Facts) -> PacketChanges {
        let defaults = match packet.defaults {
            Some(defaults) => Defaults::read(defaults),
            None if packet.is_cleared => Defaults::default(),
            None => self.whole.defaults.clone(),
        };
        let mut changes = PacketChanges::default();
        if let Some(stated) = packet.timestamp
            && !matches!(packet.data, Some((kind::CLOCK_SNAPSHOT, _)))
        {
            let clock = packet.clock.or(defaults.clock).unwrap_or(facts.clocks.default_clock());
            let ahead = self.whole.bases.clocks.ahead_of(&self.cut.bases.clocks, clock);
            changes.timestamp = (ahead > 0).then(|| stated.saturating_add(ahead));
        }
        changes.payload = match packet.data {
            Some((kind::TRACK_EVENT, event)) => {
                let sums = Sums { states: self, is_cleared: packet.is_cleared, made_up: SmallVec::new() };
                track_event(event, sums, &defaults, facts)
            }
            Some((kind::STREAMING_PROFILE, profile)) => self.streaming_profile(profile),
            _ => None,
        };
        changes
    }

    /// Microseconds by which the whole trace is ahead at times of old track events.
    fn behind_us(&self) -> i64 {
        self.whole.bases.now_us().zip(self.cut.bases.now_us()).map_or(0, |(whole, cut)| whole.wrapping_sub(cut))
    }

    /// The first difference of samples counts from the last event.
    fn streaming_profile(&self, profile: &[u8]) -> Option<Vec<u8>> {
        let mut behind = self.behind_us();
        if behind == 0 {
            return None;
        }
        let mut out = MessageBytes::default();
        for (field, raw) in raw_fields(profile) {
            if field.number != 2 {
                out.raw(raw);
                continue;
            }
            let mut values: Vec<i64> = field.numbers().map(u64::cast_signed).collect();
            if let Some(first) = values.first_mut() {
                *first = first.saturating_add(std::mem::take(&mut behind));
            }
            out.signed_like(&field, &values);
        }
        Some(out.0)
    }
}

/// The sums of incremental counters.
struct Sums<'a> {
    states: &'a States<'a>,
    /// True if the packet starts all sums again.
    is_cleared: bool,
    /// Counters whose difference is in an earlier value of the packet.
    made_up: SmallVec<[u64; 4]>,
}

impl Sums<'_> {
    /// True for the first value of an incremental counter in the packet.
    fn is_first(&mut self, track: u64, facts: &Facts) -> bool {
        let is_incremental = facts.tracks.counter(track).is_some_and(|counter| counter.is_incremental);
        if !is_incremental || self.is_cleared || self.made_up.contains(&track) {
            return false;
        }
        self.made_up.push(track);
        true
    }

    fn whole_value(&mut self, track: u64, stated: i64, facts: &Facts) -> i64 {
        if !self.is_first(track, facts) {
            return stated;
        }
        let [whole, cut] = [self.states.whole, self.states.cut].map(|sequence| sequence.bases.parts_of(track).0);
        stated.wrapping_add(whole.wrapping_sub(cut))
    }

    fn double_value(&mut self, track: u64, stated: f64, facts: &Facts) -> f64 {
        if !self.is_first(track, facts) {
            return stated;
        }
        let [whole, cut] = [self.states.whole, self.states.cut].map(|sequence| sequence.bases.parts_of(track).1);
        if whole.to_bits() == cut.to_bits() {
            return stated;
        }
        // The difference may be rounded; mostly, it or one of its neighbors gives the sum exactly. Otherwise the value differs
        // in its last bit, but later ones do not add to that.
        let (target, delta) = (whole + stated, whole + stated - cut);
        let found = [delta, delta.next_up(), delta.next_down()].into_iter().find(|delta| is_same(cut + delta, target));
        found.unwrap_or(delta)
    }
}

/// True for the same number.
fn is_same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits()
}

/// Returns a track event with other deltas; `None` if they stay the same.
fn track_event(message: &[u8], mut sums: Sums<'_>, defaults: &Defaults, facts: &Facts) -> Option<Vec<u8>> {
    let event = TrackEvent::read(message);
    let states = sums.states;
    let behind = states.behind_us();
    let ran_behind = states.whole.bases.ran_us().wrapping_sub(states.cut.bases.ran_us());
    let extra = ExtraValues::new(message, &event, defaults, &mut sums, facts);
    let track = event.track.or(defaults.track).unwrap_or_default();
    let is_counter = event.kind == COUNTER;
    let value = event.value.filter(|_| is_counter).map(|value| (value, sums.whole_value(track, value, facts)));
    let double = event.double.filter(|_| is_counter && event.value.is_none());
    let double = double.map(|value| (value, sums.double_value(track, value, facts)));
    let has_changes = (event.delta_us.is_some() && behind != 0)
        || (event.ran_delta_us.is_some() && ran_behind != 0)
        || value.is_some_and(|(old, new)| old != new)
        || double.is_some_and(|(old, new)| !is_same(old, new))
        || extra.is_changed;
    if !has_changes {
        return None;
    }
    let mut out = MessageBytes::default();
    let (mut values, mut doubles) = (extra.values.iter(), extra.doubles.iter());
    for (field, raw) in raw_fields(message) {
        match field.number {
            1 => out.signed(1, field.signed().saturating_add(behind)),
            2 => out.signed(2, field.signed().saturating_add(ran_behind)),
            12 => {
                let own: Vec<i64> = values.by_ref().take(field.numbers().count()).copied().collect();
                out.signed_like(&field, &own);
            }
            30 if let Some((_, value)) = value => out.signed(30, value),
            44 if let Some((_, double)) = double => out.double(44, double),
            46 => {
                let own: Vec<f64> = doubles.by_ref().take(field.words().count()).copied().collect();
                out.doubles_like(&field, &own);
            }
            _ => out.raw(raw),
        }
    }
    Some(out.0)
}

/// The extra counter values of a track event as the cut needs them.
#[derive(Default)]
struct ExtraValues {
    values: Vec<i64>,
    doubles: Vec<f64>,
    is_changed: bool,
}

impl ExtraValues {
    fn new(message: &[u8], event: &TrackEvent<'_>, defaults: &Defaults, sums: &mut Sums<'_>, facts: &Facts) -> Self {
        let mut extra = Self::default();
        if !event.has_extra_counters && event.extra_value.is_none() {
            return extra;
        }
        let (mut tracks, mut double_tracks) = (Vec::new(), Vec::new());
        for field in Fields::new(message) {
            match field.number {
                12 => extra.values.extend(field.numbers().map(u64::cast_signed)),
                31 => tracks.extend(field.numbers()),
                45 => double_tracks.extend(field.numbers()),
                46 => extra.doubles.extend(field.words().map(f64::from_bits)),
                _ => {}
            }
        }
        // Events with CPU times of the old form have no other values.
        if event.ran_delta_us.is_some() || event.ran_us.is_some() {
            return extra;
        }
        let or = |own: Vec<u64>, usual: &Vec<u64>| if own.is_empty() { usual.clone() } else { own };
        for (value, track) in extra.values.iter_mut().zip(or(tracks, &defaults.counters)) {
            let stated = std::mem::replace(value, sums.whole_value(track, *value, facts));
            extra.is_changed |= stated != *value;
        }
        for (value, track) in extra.doubles.iter_mut().zip(or(double_tracks, &defaults.double_counters)) {
            let stated = std::mem::replace(value, sums.double_value(track, *value, facts));
            extra.is_changed |= !is_same(stated, *value);
        }
        extra
    }
}
