//! Random commands, keys and pointer events, several per frame, against session, widgets and scene: nothing panics, the
//! scene matches the layout, and the pointer hits only visible items.
//!
//! The seed is fixed; `./dev fuzz` sets `FLOWLINE_FUZZ_SEED` and `FLOWLINE_FUZZ_STEPS` (events and commands a recording).

mod flows;
mod keys;
mod loading;
mod second_recording;

use std::sync::Arc;

use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, TouchPhase, pos2, vec2};
use flowline::index::{Arrangement, GroupKind, Index};
use flowline::profile::{
    CallRef, ColorBy, FlowId, Implementation, MarkerId, Ns, ProcessId, SelectedCall, ThreadId, TimeRange,
};
use flowline::scene::ItemKind;
use flowline::session::Session;
use flowline::ui::KeyMap;
use flowline::view::{Command, Measure, MoveDirection, Pane, PathTarget, RowSelection, TrackId};
use flowline_synth::Format;

use crate::support;
use crate::support::frames::FrameWindow;
use keys::KEYS;

/// Events and commands for each of the three recordings.
const STEPS: u64 = 34_000;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

const WORDS: [&str; 14] = [
    "paint",
    "name:dom",
    "-cat:network",
    "dur:>5ms",
    "thread:gecko",
    "flow:1",
    "a,b",
    "\"x y",
    "thread:gecko dur:>20ms",
    "self:1us..1ms -paint,start:>0",
    "res:http",
    "dur:>",
    "unknownkey:>7",
    "pid:1 \"no such\"",
];

struct Fuzzer {
    random: fastrand::Rng,
    window: FrameWindow,
    /// The recording that receives commands.
    pane: Pane,
    /// Index of that recording.
    index: Arc<Index>,
    /// Index of the recording that is open at first.
    first: Arc<Index>,
    /// A second recording, opened and closed from time to time.
    second: Option<Arc<Index>>,
    /// Loading stages of the recording, in order; empty if it is already loaded.
    stages: Vec<Arc<Index>>,
    log: Vec<String>,
}

impl Fuzzer {
    fn marker(&mut self) -> MarkerId {
        MarkerId::new(self.random.usize(..self.index.profile().marker_count().max(1)))
    }

    fn thread(&mut self) -> ThreadId {
        ThreadId::new(self.random.usize(..self.index.profile().threads.len()))
    }

    fn process(&mut self) -> ProcessId {
        ProcessId::new(self.random.usize(..self.index.profile().processes.len()))
    }

    fn flow(&mut self) -> FlowId {
        FlowId::new(self.random.usize(..self.index.flows().len().max(1)))
    }

    fn range(&mut self) -> TimeRange {
        let extent = self.index.extent();
        let length = extent.len().max(1);
        let start = extent.start + Ns(self.random.i64(0..length));
        TimeRange::new(start, start + Ns(self.random.i64(0..length) >> self.random.u32(0..40)))
    }

    fn command(&mut self) -> Command {
        let far = self.random.f64() * 4e3 - 2e3;
        let animated = self.random.bool();
        match self.random.u8(..44) {
            0 => Command::Zoom { pixel: far, factor: 2.0_f64.powf(self.random.f64() * 20.0 - 10.0), animated },
            1 => Command::Pan { pixels: far, animated },
            2 => Command::Show(self.range()),
            3 => Command::ZoomTo(self.range()),
            4 => Command::ZoomToSelection,
            5 => Command::ZoomToMarker(self.marker()),
            6 => Command::ZoomToAll,
            7 => Command::ZoomBack,
            8 => Command::Breadcrumb(self.random.usize(..4)),
            9 | 10 => Command::Scroll(far * 10.0),
            11 => Command::SelectRange(animated.then(|| self.range())),
            12 => Command::Select(animated.then(|| self.marker())),
            13 | 14 => Command::Reveal(self.marker()),
            15 => Command::ToggleProcess(self.process()),
            16 => Command::ToggleThread(self.thread()),
            17 if animated => Command::ToggleTrack(TrackId::new("network", self.process().0)),
            17 => Command::ToggleCounters(Some(self.process())),
            18 => Command::HideThread(self.thread()),
            19 => [Command::ShowOnly(self.thread()), Command::ShowAll][usize::from(animated)].clone(),
            20 => [Command::ExpandAll, Command::CollapseAll][usize::from(animated)].clone(),
            21 | 22 => Command::SetArrangement(if animated { Arrangement::Stack } else { Arrangement::ByName }),
            23 => Command::Search(if animated {
                String::new()
            } else {
                (*self.random.choice(WORDS).expect("words")).into()
            }),
            24 => {
                let direction = self.random.choice(MoveDirection::ALL).expect("directions");
                if animated { Command::Hold { direction, pixel: far } } else { Command::Release(direction) }
            }
            25 => self.toggle_group(),
            26 => Command::ToggleMoreGroups(self.thread()),
            27 => Command::HideEmptyRows(animated),
            28 | 29 => Command::ToggleStackChart(self.thread()),
            30 => Command::ColorBy(if animated { ColorBy::File } else { ColorBy::Kind }),
            31 => self.select_call(),
            32 => Command::ShowCalls(Implementation::ALL[self.random.usize(..3)]),
            33 => self.choose_rows(),
            34 => self.choose_threads(),
            35 => {
                let measure = Measure { a: self.range().start, b: animated.then(|| self.range().end) };
                Command::Measure((far > 0.0).then_some(measure))
            }
            36 => Command::ShowPath((far > 0.0).then(|| PathTarget::end_of(self.marker()))),
            37 => Command::ZeroAt((far > 0.0).then(|| self.marker())),
            38..=41 => Command::FlowLane(self.lane_command()),
            _ => Command::Flow(self.flow_command()),
        }
    }

    /// Selects some rows on screen, or rows that do not exist.
    fn choose_rows(&mut self) -> Command {
        let mut rows = RowSelection::default();
        let places: Vec<f64> = (0..2).map(|_| self.random.f64() * 2000.0).collect();
        rows.add(&self.window.session().scene_input().rows_between(places[0].min(places[1]), places[0].max(places[1])));
        if self.random.u8(..8) == 0 {
            let start = self.random.u32(..1_000_000);
            rows.add_rows(self.thread(), Arrangement::ByName, start..start + self.random.u32(..1_000_000));
            let kind = ["network", "custom_tracks", "unknown"][self.random.usize(..3)];
            rows.add_track_rows(TrackId::new(kind, self.random.u32(..3)), 0..self.random.u32(..));
        }
        match self.random.u8(..4) {
            0 => Command::ClearRows,
            1 => Command::ToggleRows(rows),
            _ => Command::SelectBox(self.random.bool().then(|| self.range()), rows),
        }
    }

    fn choose_threads(&mut self) -> Command {
        let threads: Vec<ThreadId> = (0..self.random.usize(..4)).map(|_| self.thread()).collect();
        if self.random.bool() { Command::ToggleThreads(threads) } else { Command::PickThreads(threads) }
    }

    /// Selects or shows a call of a built chart, or an invalid one.
    fn select_call(&mut self) -> Command {
        let thread = self.thread();
        let charts = self.index.charts();
        let Some(chart) = charts.if_built(thread) else { return Command::SelectCall(None) };
        let count = chart.calls(self.index.profile()).len();
        let call = u32::try_from(self.random.usize(..count.max(1))).expect("few");
        let Some(times) = chart.times(self.index.profile(), call) else { return Command::SelectCall(None) };
        let selected = SelectedCall { call: CallRef { thread, functions: Implementation::All, call }, times };
        match self.random.u8(..3) {
            0 => Command::ZoomToCall(selected),
            1 => Command::RevealCall(selected),
            _ => Command::SelectCall(Some(selected)),
        }
    }

    /// Collapses or expands a group of rows, usually an existing one.
    fn toggle_group(&mut self) -> Command {
        let thread = self.thread();
        let layout = self.index.layout(self.window.session().view.arrangement).if_built(thread);
        let groups = layout.map(|layout| layout.rows.groups.as_slice()).unwrap_or_default();
        let kind = self.random.choice(groups).map_or(GroupKind::Network, |group| group.kind);
        Command::ToggleGroup(thread, kind)
    }

    fn event(&mut self) -> Event {
        let size = self.window.size;
        let place = pos2(self.random.f32() * size.x, self.random.f32() * size.y);
        let modifiers = Modifiers {
            alt: self.random.u8(..8) == 0,
            shift: self.random.u8(..6) == 0,
            ctrl: false,
            command: self.random.u8(..10) == 0,
            mac_cmd: false,
        };
        match self.random.u8(..20) {
            0..=3 => Event::PointerMoved(place),
            4..=7 => {
                let button = if self.random.u8(..8) == 0 { PointerButton::Secondary } else { PointerButton::Primary };
                let pos = if self.random.bool() {
                    self.window.context().pointer_latest_pos().unwrap_or(place)
                } else {
                    place
                };
                Event::PointerButton { pos, button, pressed: self.random.bool(), modifiers }
            }
            8 | 9 => Event::MouseWheel {
                unit: MouseWheelUnit::Line,
                delta: vec2(self.random.f32() * 4.0 - 2.0, self.random.f32() * 60.0 - 30.0),
                phase: TouchPhase::Move,
                source: egui::MouseWheelSource::Unknown,
                modifiers,
            },
            10 => Event::Zoom(0.5 + self.random.f32()),
            11 => Event::Text(
                (*self.random.choice(["/", "?", "a", "]", "[", ",", ".", "<", ">", "+"]).expect("texts")).into(),
            ),
            12 if self.random.u8(..6) == 0 => Event::WindowFocused(self.random.bool()),
            12 => Event::PointerGone,
            13 => Event::Copy,
            _ => Event::Key {
                // Ctrl+W closes the recording.
                key: match *self.random.choice(&KEYS).expect("keys") {
                    Key::W if modifiers.command => Key::A,
                    key => key,
                },
                physical_key: None,
                pressed: self.random.u8(..4) > 0,
                repeat: false,
                modifiers,
            },
        }
    }

    /// Runs one frame and returns its number of events and commands.
    fn frame(&mut self) -> u64 {
        let mut done = 0;
        for _ in 0..self.random.usize(..3) {
            let command = self.command();
            self.note(format!("{command:?}"));
            self.window.shell.apply_to(self.pane, command);
            done += 1;
        }
        self.choose_pane();
        self.load_more();
        let mut events = Vec::new();
        for _ in 0..self.random.usize(..6) {
            let event = self.event();
            self.note(format!("{event:?}"));
            events.push(event);
            done += 1;
        }
        if self.random.u8(..60) == 0 {
            self.window.size = vec2(self.random.f32() * 1800.0 + 40.0, self.random.f32() * 1100.0 + 30.0);
            self.window.scale = *self.random.choice(&[1.0, 1.25, 1.5, 2.0]).expect("scales");
        }
        let seconds = [0.0, 0.004, 1.0 / 60.0, 0.1, 2.0][self.random.usize(..5)];
        self.window.frame(seconds, events);
        if self.window.shell.session().is_none() {
            // The menu of the recording and the palette close it as well.
            self.note("the recording is closed and opened again".into());
            self.window.reopen(Arc::clone(&self.first));
            (self.pane, self.index) = (Pane::A, Arc::clone(&self.first));
        }
        self.check();
        // From time to time, background work catches up.
        if self.random.u8(..44) == 0 {
            self.window.shell.wait();
        }
        done
    }

    fn note(&mut self, what: String) {
        if self.log.len() > 40 {
            self.log.remove(0);
        }
        self.log.push(what);
    }

    fn check(&mut self) {
        if let Some(other) = self.window.shell.pane(Pane::B) {
            let (first, second) = (&self.window.session().view, &other.session.view);
            let back = Ns(other.pairing.as_ref().expect("aligned").shift().0.saturating_neg());
            assert_eq!(second.shared(), first.shared().shifted(back), "both show the same times");
        }
        for pane in Pane::ALL {
            self.window.shell.session_of(pane).into_iter().for_each(|session| self.check_session(session));
        }
    }

    fn check_session(&self, session: &Session) {
        let (layout, view) = (session.layout(), &session.view);
        assert!(view.scroll >= 0.0 && view.scroll <= layout.max_scroll(), "scroll {}", view.scroll);
        assert_eq!((layout.view().axis, layout.view().scroll), (view.axis, view.scroll), "visible items are laid out");
        assert_eq!(layout.view().arrangement, view.arrangement);
        let scope = layout.scope();
        assert_eq!(scope.committed(), view.breadcrumbs.committed(), "the committed range is applied");
        if let Some(committed) = scope.committed().filter(|_| view.motion.is_done()) {
            assert_eq!(view.axis.extent(), committed, "the axis stays within the committed range");
        }
        let input = session.scene_input();
        assert_eq!(self.window.scene().palette.canvas, self.window.palette().canvas);
        let chart = input.regions.chart;
        let flow_lanes = input
            .list
            .items()
            .iter()
            .filter(|item| {
                matches!(
                    item.kind,
                    ItemKind::FlowLane(_)
                        | ItemKind::FlowLaneHeading(_)
                        | ItemKind::InstantLanes(_)
                        | ItemKind::OutsideLanes(_)
                )
            })
            .count();
        assert_eq!(
            flow_lanes,
            if view.flow_lanes.shown { input.list.items().len() } else { 0 },
            "either lanes or thread rows"
        );
        assert!(!view.flow_lanes.shown || input.visible_items().is_empty() || input.flow_lanes.is_some());
        if let Some(hit) = session.pointer_hits().chart {
            let (x, y) = input.pointer.expect("the pointer hovers an item");
            let path = input.regions.path;
            assert!(chart.contains(x, y) || path.contains(x, y), "{hit:?} at {x} {y} outside {chart:?} and {path:?}");
        }
    }
}

/// Prints the most recent commands when a test panics.
#[expect(clippy::print_stderr, reason = "the log of a failure")]
impl Drop for Fuzzer {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the last commands and events:\n{}", self.log.join("\n"));
        }
    }
}

fn fuzz(index: Arc<Index>, keys: KeyMap, seed: u64) {
    fuzz_with(vec![index], None, keys, (seed, STEPS));
}

/// Fuzzes with a second recording that is opened and closed, or with the stages of one that is being loaded.
fn fuzz_with(mut stages: Vec<Arc<Index>>, second: Option<Arc<Index>>, keys: KeyMap, (seed, steps): (u64, u64)) {
    let seed = setting("FLOWLINE_FUZZ_SEED", seed);
    let index = Arc::clone(stages.first().expect("a recording"));
    if stages.len() == 1 {
        stages.clear();
    }
    let window = FrameWindow::new(Arc::clone(&index), keys, vec2(1200.0, 760.0), 1.0);
    let random = fastrand::Rng::with_seed(seed);
    let first = Arc::clone(&index);
    let mut fuzzer = Fuzzer { random, window, index, first, pane: Pane::A, second, stages, log: Vec::new() };
    let (mut done, all) = (0, setting("FLOWLINE_FUZZ_STEPS", steps));
    while done < all {
        done += fuzzer.frame().max(1);
    }
}

#[test]
fn random_commands_on_the_example() {
    fuzz(support::example(), KeyMap::Flowline, 20_261_122);
}

#[test]
fn random_commands_on_a_firefox_profile() {
    fuzz(support::sampled(Format::Firefox, 12_000, 7), KeyMap::Firefox, 20_261_123);
}

#[test]
fn random_commands_on_a_chrome_trace() {
    fuzz(support::sampled(Format::Chrome, 12_000, 7), KeyMap::Flowline, 20_261_124);
}

#[test]
fn random_commands_on_partly_cold_text() {
    let index = crate::cold_text::cold(&support::sampled(Format::Chrome, 12_000, 8), 3);
    fuzz_with(vec![index], None, KeyMap::Firefox, (20_261_127, STEPS / 2));
}
