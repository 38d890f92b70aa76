//! Names of markers that state what their flow does from then on: `net::http::transaction WAIT` was scheduled, `… EXEC`
//! began to run, `… DONE` is over. They describe flows without a rule.

use foldhash::HashMap;

use flowline_profile::{Profile, StringId};

/// State of a flow after a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlowState {
    /// It was scheduled and waits.
    Wait,
    /// It runs.
    Exec,
    /// It is over.
    Done,
}

/// The state that the last word of a name states, with the length of the name before it.
fn state_of(name: &str) -> Option<(FlowState, usize)> {
    let before = name.trim_end_matches(|letter: char| letter.is_ascii_uppercase());
    let state = match &name[before.len()..] {
        "WAIT" => FlowState::Wait,
        "EXEC" => FlowState::Exec,
        "DONE" => FlowState::Done,
        _ => return None,
    };
    let is_word = before.is_empty() || before.ends_with([' ', ':', '.', '/', '_', '-']);
    is_word.then_some((state, before.len()))
}

/// A name without the state at its end, unless it is only a state.
pub(crate) fn without_state(name: &str) -> &str {
    let rest = state_of(name).map_or(name, |(_, length)| &name[..length]);
    let rest = rest.trim_end_matches([' ', ':', '.', '/', '_', '-']);
    if rest.is_empty() { name } else { rest }
}

/// The names of a recording that state something.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateNames(HashMap<StringId, FlowState>);

impl StateNames {
    /// Finds the names.
    pub(crate) fn new(profile: &Profile) -> Self {
        let states = profile.strings.iter().filter_map(|(id, name)| Some((id, state_of(name)?.0)));
        Self(states.collect())
    }

    /// The state that a marker with this name states.
    #[inline]
    pub(crate) fn get(&self, name: StringId) -> Option<FlowState> {
        // Nearly all recordings have no such names.
        if self.0.is_empty() { None } else { self.0.get(&name).copied() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_a_name_states_what_a_flow_does() {
        for (name, state, rest) in [
            ("net::http::transaction WAIT", Some(FlowState::Wait), "net::http::transaction"),
            ("net::http::transaction EXEC", Some(FlowState::Exec), "net::http::transaction"),
            ("task.DONE", Some(FlowState::Done), "task"),
            ("EXEC", Some(FlowState::Exec), "EXEC"),
            ("AWAIT", None, "AWAIT"),
            ("EXECUTE", None, "EXECUTE"),
            ("wait", None, "wait"),
            ("", None, ""),
        ] {
            assert_eq!((state_of(name).map(|(state, _)| state), without_state(name)), (state, rest), "{name}");
        }
    }
}
