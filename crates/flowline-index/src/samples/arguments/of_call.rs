//! The arguments of a call, and a search among those of all calls.

use super::values::Decoder;
use crate::search::Query;
use flowline_profile::samples::{CallArguments, CallTable};
use flowline_profile::{Profile, ThreadId};

/// Arguments that are recorded of each call at most.
const MAX_RECORDED: u32 = 4;

/// The arguments of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// The recorded ones, in order.
    pub values: Vec<String>,
    /// Number of further ones, which are not recorded or cannot be read.
    pub more: u32,
}

impl Arguments {
    /// All on one line: `MouseEvent, 0`.
    #[must_use]
    pub fn text(&self) -> String {
        let more = (self.more > 0).then(|| format!("{} more", self.more));
        self.values.iter().cloned().chain(more).collect::<Vec<_>>().join(", ")
    }
}

/// The arguments at a place.
pub(super) fn decoded(recorded: &CallArguments, place: u32) -> Option<Arguments> {
    if place == CallArguments::NONE_GIVEN {
        return Some(Arguments::default());
    }
    let mut decoder = Decoder::new(recorded, place as usize)?;
    let count = decoder.reader.u32()?;
    let values: Vec<String> = (0..count.min(MAX_RECORDED)).map_while(|_| decoder.value(false)).collect();
    let more = count - u32::try_from(values.len()).unwrap_or(count);
    Some(Arguments { values, more })
}

/// The sample that began a call, if the call is the innermost one that it began.
fn own_sample(calls: &CallTable, call: usize) -> Option<u32> {
    let sample = *calls.sample.get(call)?;
    // Calls that begin together are in the order of their depths.
    (calls.sample.get(call + 1) != Some(&sample)).then_some(sample)
}

/// The arguments of a call of a thread; `None` if they were not recorded or are damaged.
#[must_use]
pub fn arguments_of(profile: &Profile, thread: ThreadId, calls: &CallTable, call: usize) -> Option<Arguments> {
    let samples = profile.samples(thread)?;
    let place = own_sample(calls, call).and_then(|sample| samples.arguments.place_of(sample).zip(Some(sample)));
    let (place, sample) = place?;
    // A chart of some functions only begins calls of others at the sample.
    let innermost = samples.cpu.stack(sample as usize)?;
    let is_own = profile.stacks.func(innermost) == profile.stacks.func(*calls.stack.get(call)?);
    is_own.then(|| decoded(&samples.arguments, place)).flatten()
}

/// The calls with recorded arguments of a thread that match a search by name and arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatchingArguments {
    /// Samples that began a call with recorded arguments, ascending, and whether it matches.
    samples: Vec<(u32, bool)>,
}

impl MatchingArguments {
    pub(crate) fn new(profile: &Profile, thread: ThreadId, query: &Query) -> Self {
        let Some(samples) = profile.samples(thread) else { return Self::default() };
        let recorded = &samples.arguments;
        let matches = |(sample, place): (&u32, &u32)| {
            let func = samples.cpu.stack(*sample as usize).map(|stack| profile.stacks.func(stack))?;
            let own = decoded(recorded, *place)?;
            Some((*sample, query.matches_call(profile.stacks.name(func), &own.values)))
        };
        Self { samples: recorded.sample.iter().zip(recorded.place.iter()).filter_map(matches).collect() }
    }

    /// True if a call matches.
    pub(crate) fn any(&self) -> bool {
        self.samples.iter().any(|(_, matches)| *matches)
    }

    /// Whether a call matches; `None` if its arguments are not known.
    pub(crate) fn of_call(&self, calls: &CallTable, call: usize) -> Option<bool> {
        let sample = own_sample(calls, call).filter(|_| !self.samples.is_empty())?;
        let at = self.samples.binary_search_by_key(&sample, |own| own.0).ok()?;
        self.samples.get(at).map(|own| own.1)
    }
}
