//! The part of `flowline bench` for interactions other than navigation: the time until a frame can show the result, and
//! the longest time for which the window could not draw.

use std::time::{Duration, Instant};

use egui::{Event, pos2};

use crate::app::Headless;
use flowline_profile::ThreadId;
use flowline_scene::ItemKind;
use flowline_scene::Scope;
use flowline_session::{MarkerColumn, Session, ordered};
use flowline_view::Command;

/// Number of inputs, one per frame.
const INPUTS: usize = 60;
/// Maximum number of frames to wait for the effect of an input.
const MOST_FRAMES: usize = 4;
/// Maximum wait for any step.
const PATIENCE: Duration = Duration::from_secs(60);
/// Number of threads to expand.
const EXPANDED: usize = 12;

/// Milliseconds of each step.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// From an input to the submission of the frame that shows it.
    pub(super) input: Vec<f64>,
    /// Number of frames from an input to the frame that shows it, inclusive.
    pub(super) input_frames: Vec<f64>,
    /// Expanding a thread, until its rows are built.
    pub(super) expand: Vec<f64>,
    /// Switching the layout, until the visible rows are built.
    pub(super) arrange: Vec<f64>,
    /// The same, until the rows of all expanded threads are built.
    pub(super) arrange_all: Vec<f64>,
    /// A search until the first hits.
    pub(super) search_first: Vec<f64>,
    /// A search until all hits.
    pub(super) search_all: Vec<f64>,
    /// Sorting all markers by duration.
    pub(super) sort: Vec<f64>,
    /// Longest uninterrupted work of the window during these steps.
    pub(super) held: Vec<f64>,
}

/// Returns the milliseconds since `began`.
fn since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// Measures all steps, one after the other.
pub(super) fn measure(window: &mut Headless) -> anyhow::Result<Steps> {
    let mut steps = Steps::default();
    inputs(window, &mut steps)?;
    if let Some(session) = window.shell.session_mut() {
        expand(session, &mut steps);
        search(session, &mut steps);
        arrange(session, &mut steps);
        for _ in 0..3 {
            let began = Instant::now();
            let rows = ordered(session.index.profile(), &Scope::default(), MarkerColumn::Duration, true);
            steps.sort.push(since(began));
            anyhow::ensure!(rows.len() == session.index.profile().marker_count(), "rows are missing");
        }
    }
    Ok(steps)
}

/// Replays a touchpad pinch over the chart: in, and out again.
fn inputs(window: &mut Headless, steps: &mut Steps) -> anyhow::Result<()> {
    window.apply(Command::ZoomToAll);
    window.settle();
    window.wait()?;
    let chart = window.shell.regions().chart;
    let middle = pos2(chart.x + chart.width * 0.4, chart.y + chart.height * 0.5);
    for number in 0..INPUTS {
        let visible = |window: &Headless| window.shell.session().map(|session| session.view.axis);
        let before = visible(window);
        let taken = Instant::now();
        window.push_event(Event::PointerMoved(middle));
        window.push_event(Event::Zoom(if number < INPUTS / 2 { 1.2 } else { 1.0 / 1.2 }));
        for frame in 1..=MOST_FRAMES {
            let submitted = window.frame().submitted;
            if visible(window) != before {
                steps.input.extend(submitted.map(|at| at.duration_since(taken).as_secs_f64() * 1e3));
                #[expect(clippy::cast_precision_loss, reason = "a few frames")]
                steps.input_frames.push(frame as f64);
                break;
            }
        }
        window.wait()?;
    }
    window.push_event(Event::PointerGone);
    window.settle();
    Ok(())
}

/// Refreshes the session like a frame until a condition is met.
fn wait_until(session: &mut Session, began: Instant, held: &mut Vec<f64>, holds: impl Fn(&Session) -> bool) -> f64 {
    loop {
        let refreshing = Instant::now();
        session.refresh();
        held.push(since(refreshing));
        if holds(session) || began.elapsed() > PATIENCE {
            return since(began);
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn is_complete(session: &Session) -> bool {
    session.list().missing.is_empty()
}

/// Returns true if the rows of all visible threads are built.
fn is_shown(session: &Session) -> bool {
    let input = session.scene_input();
    let is_missing = |thread: &ThreadId| session.list().missing.contains(thread);
    !input
        .visible_items()
        .iter()
        .any(|item| matches!(&item.kind, ItemKind::Thread(heading) if is_missing(&heading.thread)))
}

fn expand(session: &mut Session, steps: &mut Steps) {
    let profile = session.index.profile().clone();
    let collapsed = |(id, _): &(ThreadId, usize)| !session.view.tracks.expanded.contains(id);
    let mut threads: Vec<(ThreadId, usize)> =
        profile.threads_with_ids().map(|(id, thread)| (id, thread.markers.len())).filter(collapsed).collect();
    threads.sort_by_key(|(_, markers)| std::cmp::Reverse(*markers));
    for (thread, _) in threads.into_iter().take(EXPANDED) {
        let began = Instant::now();
        session.apply(Command::ToggleThread(thread));
        steps.expand.push(wait_until(session, began, &mut steps.held, is_complete));
        session.apply(Command::ToggleThread(thread));
        session.refresh();
    }
}

fn arrange(session: &mut Session, steps: &mut Steps) {
    let first = session.view.arrangement;
    let other = first.other();
    let began = Instant::now();
    session.apply(Command::SetArrangement(other));
    steps.arrange.push(wait_until(session, began, &mut steps.held, is_shown));
    steps.arrange_all.push(wait_until(session, began, &mut steps.held, is_complete));
    expand(session, steps);
    let began = Instant::now();
    session.apply(Command::SetArrangement(first));
    steps.arrange.push(wait_until(session, began, &mut steps.held, is_shown));
}

/// Searches for marker names from all parts of the recording, in any field and in names only.
fn search(session: &mut Session, steps: &mut Steps) {
    let profile = session.index.profile().clone();
    let count = profile.marker_count();
    let mut texts: Vec<String> = Vec::new();
    for part in [1, 3, 5] {
        let marker = u32::try_from(count * part / 7).map(flowline_profile::MarkerId);
        let place = marker.ok().and_then(|marker| profile.locate(marker));
        let Some((thread, local)) = place else { continue };
        // Quotes keep multi-word names together.
        let name = format!("\"{}\"", profile.marker_name(thread, local).to_lowercase().replace('"', ""));
        texts.push(format!("name:{name}"));
        texts.push(name);
    }
    for text in texts {
        let began = Instant::now();
        session.apply(Command::Search(text.clone()));
        let is_new =
            |session: &Session| session.search().is_some_and(|search| search.text == text && search.hits.total() > 0);
        steps.search_first.push(wait_until(session, began, &mut steps.held, is_new));
        let is_done = |session: &Session| is_new(session) && !session.is_searching();
        steps.search_all.push(wait_until(session, began, &mut steps.held, is_done));
        session.apply(Command::Search(String::new()));
        session.refresh();
    }
}
