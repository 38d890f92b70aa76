//! Text that is not in memory: the window reads it in the background, meanwhile shows what it has, and reaches the same
//! state.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flowline::index::Index;
use flowline::index::search::{Query, run};
use flowline::profile::{FlowId, MarkerId, Pages, Profile, Source};
use flowline::view::{Command, FlowCommand, Pane};
use flowline_synth::Format;

use crate::support;
use crate::support::frames::FrameWindow;

struct ColdPages {
    parts: u64,
    asked: AtomicU64,
}

impl Pages for ColdPages {
    fn are_in_memory(&self, _part: Range<usize>) -> bool {
        !self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(self.parts)
    }

    fn fetch(&self, _part: Range<usize>) {}
}

/// The same recording, with one in `parts` pieces of its text not in memory when requested; 1 means none is in memory.
pub(crate) fn cold(index: &Index, parts: u64) -> Arc<Index> {
    let profile = index.profile();
    let source: Source = profile.source.clone().with_pages(Arc::new(ColdPages { parts, asked: AtomicU64::new(0) }));
    let profile = Profile { source, ..Profile::clone(profile) };
    Arc::new(Index::build(Arc::new(profile), index.profile().meta.arrangement()))
}

fn window(index: Arc<Index>) -> FrameWindow {
    FrameWindow::new(index, flowline::ui::KeyMap::Flowline, egui::vec2(1200.0, 760.0), 1.0)
}

/// Label, id and number of members of a flow's row, if it is loaded.
fn row(window: &FrameWindow, flow: FlowId) -> Option<(String, String, usize)> {
    let shape = window.session().flows.shapes.flow(flow)?;
    Some((shape.appearance.label.clone(), shape.id.clone(), shape.members))
}

fn card(window: &FrameWindow) -> Option<(Vec<(String, String)>, usize)> {
    let session = window.session();
    Some((session.selected_card()?.lines.clone(), session.flow_cards().flows.len()))
}

fn rows_and_cards_follow(index: &Arc<Index>) {
    let cold = cold(index, 1);
    let graph = index.flows();
    let mut flows: Vec<FlowId> = graph.iter().collect();
    flows.sort_by_key(|flow| std::cmp::Reverse(graph.members(*flow).len()));
    let (mut warm, mut cold) = (window(Arc::clone(index)), window(cold));
    let mut late = 0;
    for flow in flows.into_iter().take(12) {
        let marker: MarkerId = graph.members(flow)[0];
        for window in [&mut warm, &mut cold] {
            window.shell.wait();
            window.shell.apply_to(Pane::A, Command::Select(None));
            window.shell.apply_to(Pane::A, Command::Flow(FlowCommand::Enter(vec![flow])));
            window.shell.apply_to(Pane::A, Command::Select(Some(marker)));
            window.frame(0.0, Vec::new());
        }
        let (expected, shown) = (row(&warm, flow), card(&warm));
        assert!(expected.is_some() && shown.is_some(), "text in memory is shown in the same frame");
        // The background reader may be quick, but usually it is not.
        late += usize::from(row(&cold, flow).is_none() && card(&cold).is_none());
        for _ in 0..3 {
            cold.shell.wait();
            cold.frame(0.016, Vec::new());
        }
        assert_eq!((row(&cold, flow), card(&cold)), (expected, shown), "{flow:?}");
    }
    assert!(late > 0, "no text was read in the background");
}

#[test]
fn rows_and_cards_of_a_firefox_profile_load_later() {
    rows_and_cards_follow(&support::example());
}

#[test]
fn rows_and_cards_of_a_chrome_trace_load_later() {
    rows_and_cards_follow(&support::synthetic(Format::Chrome, 6_000, 3));
}

#[test]
fn a_search_finds_the_same_markers_in_cold_text() {
    // Long enough that several pieces of text are searched.
    let index = support::synthetic(Format::Chrome, 30_000, 5);
    assert!(index.profile().source.bytes().len() > 5 << 20);
    for parts in [1, 2, 5] {
        let cold = cold(&index, parts);
        for text in ["src_func", "cat:net 17", "-paint", "\"posted from\"", "4711"] {
            let hits = |index: &Index| run(index.profile(), index.flows(), &Query::parse(text), &|| true);
            assert_eq!(hits(&cold), hits(&index), "{text}");
        }
    }
}
