//! The part of a saved view about the emphasized insight. Its range and its markers follow from the recording.

use super::format::SavedInsight;
use super::names::Names;
use flowline_view::{InsightFocus, ViewState};

pub(super) fn saved(view: &ViewState, names: &Names<'_>) -> Option<SavedInsight> {
    let focus = view.insight.as_deref()?;
    Some(SavedInsight {
        name: focus.name.clone(),
        navigation: focus.navigation,
        window: focus.window,
        process: focus.process.map(|process| names.process(process)).unwrap_or_default(),
    })
}

pub(super) fn focus(saved: &SavedInsight, names: &Names<'_>) -> InsightFocus {
    let has_process = !saved.process.is_empty();
    InsightFocus {
        name: saved.name.clone(),
        navigation: saved.navigation,
        window: saved.window,
        process: has_process.then(|| names.find_process(&saved.process)).flatten(),
        range: None,
        markers: None,
    }
}
