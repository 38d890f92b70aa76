//! Marks on slices: harm, and the name of the selected slice. Only slices that are wide enough are looked up, so the cost
//! depends on the screen.

use crate::frame::{Candidate, Frame};
use crate::layout::SceneInput;
use crate::primitives::{Emphasis, MarkerInstance};
use flowline_index::Derived;
use flowline_insights::harm::Harm;
use flowline_profile::MarkerId;

/// The harmful slices, if there are any.
fn harm<'a>(input: &SceneInput<'a>) -> Option<&'a Harm> {
    Harm::if_built(input.index).filter(|harm| !harm.long().all().is_empty() || !harm.forced().all().is_empty())
}

/// True if any slice can have a mark.
pub(super) fn marks_exist(input: &SceneInput<'_>) -> bool {
    input.view.selected.is_some() || harm(input).is_some()
}

/// The marks of harm of a slice.
pub(super) fn marks_of(input: &SceneInput<'_>, marker: MarkerId) -> u32 {
    harm(input).map_or(0, |harm| of_harm(harm, marker))
}

fn of_harm(harm: &Harm, marker: MarkerId) -> u32 {
    let mark = |has: bool, mark: u32| if has { mark } else { 0 };
    mark(harm.long().contains(marker), MarkerInstance::LONG)
        | mark(harm.forced().contains(marker), MarkerInstance::FORCED)
}

/// Marks the harmful ones among the drawn slices, and those with the name of the selected slice.
pub(super) fn mark(input: &SceneInput<'_>, frame: &mut Frame, candidates: &[Candidate]) {
    let profile = input.index.profile();
    let harm = harm(input);
    let selected = input.view.selected.and_then(|marker| profile.locate(marker));
    let name = selected.map(|(thread, local)| profile.thread(thread).markers.name(local));
    if harm.is_none() && name.is_none() {
        return;
    }
    for candidate in candidates {
        let thread = profile.thread(candidate.thread);
        let Some(instance) = frame.instances.markers.get_mut(candidate.instance) else { continue };
        if let Some(harm) = harm.filter(|_| candidate.alone_until.is_none()) {
            *instance = instance.marked(of_harm(harm, thread.global(candidate.marker)));
        }
        let is_plain = instance.emphasis() == Emphasis::Normal as u32;
        if is_plain && name == Some(thread.markers.name(candidate.marker)) {
            *instance = instance.emphasized(Emphasis::Alike);
        }
    }
}
