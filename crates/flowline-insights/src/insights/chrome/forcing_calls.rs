//! The functions that forced a slice of style or layout.

use super::call_places::Place;
use crate::harm::HarmfulSlice;
use crate::insights::context::Context;
use crate::page_work::PageEntries;
use flowline_index::Derived;
use flowline_index::samples::entries::{EntryId, EntryItem, EntryList};
use flowline_profile::samples::NONE;
use flowline_profile::{FuncId, MarkerId, Profile, Value};

/// Who forced a slice.
#[derive(Clone, Debug, Default)]
pub(super) struct Forcing {
    /// The innermost function.
    pub(super) frame: Option<Place>,
    /// The outermost one in an unbroken run of calls, or the one whose call the browser states above them.
    pub(super) top: Option<Place>,
    /// The slice of that call.
    pub(super) call: Option<MarkerId>,
}

/// Who forced a slice of the main frame; `None` for slices of other frames.
pub(super) fn forcing(context: &Context<'_>, slice: &HarmfulSlice) -> Option<Forcing> {
    let profile = context.profile();
    let (thread, local) = profile.locate(slice.marker)?;
    let payload = profile.payload(thread, local);
    let begin = payload.get("beginData")?;
    let frame = begin.get("frame").and_then(Value::as_str)?;
    if !context.page.frames().is_main(frame) {
        return None;
    }
    let list = PageEntries::of(context.index).of_thread(thread);
    let entry = list.and_then(|list| Some((list, list.entry_of(profile, slice.marker)?)));
    let mut forcing = entry.map_or_else(Forcing::default, |(list, entry)| above(profile, list, entry));
    // The event states the position of the call, samples only that of the function.
    if let Some(Value::List(frames)) = begin.get("stackTrace")
        && let Some(place) = frames.first().and_then(Place::stated)
    {
        forcing.frame = Some(place);
    }
    Some(forcing)
}

/// At most this many entries above a slice are visited.
const MAX_DEPTH: usize = 1_000;

/// The functions above an entry.
fn above(profile: &Profile, list: &EntryList, entry: EntryId) -> Forcing {
    let mut forcing = Forcing::default();
    let mut next = list.parent[entry as usize];
    let mut is_broken = false;
    for _ in 0..MAX_DEPTH {
        if next == NONE {
            break;
        }
        match list.item(profile, next) {
            EntryItem::Call(_) => {
                let place = Place::Sampled(FuncId(list.func(next)));
                forcing.frame.get_or_insert_with(|| place.clone());
                if is_broken {
                    break;
                }
                forcing.top = Some(place);
            }
            EntryItem::Marker(marker) => {
                if let Some(place) = stated_call(profile, marker) {
                    if !is_broken {
                        (forcing.top, forcing.call) = (Some(place), Some(marker));
                    }
                    break;
                }
                // Style inside layout has the functions of the layout, but no run of calls of its own.
                is_broken = true;
                if forcing.frame.is_some() {
                    break;
                }
            }
        }
        next = list.parent[next as usize];
    }
    forcing
}

/// The function whose call a slice states.
fn stated_call(profile: &Profile, marker: MarkerId) -> Option<Place> {
    let (thread, local) = profile.locate(marker)?;
    if profile.strings.get(profile.thread(thread).markers.name(local)) != "FunctionCall" {
        return None;
    }
    profile.payload(thread, local).get("data").and_then(Place::stated)
}
