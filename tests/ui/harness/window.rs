//! The window under test: queries of its accessibility tree, and its setup.
//!
//! Time is simulated at 60 frames per second, so motions and double-clicks are the same on every machine. Background
//! work (search, sorting) is awaited with a timeout.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::{Role, Toggled};
use egui::{Pos2, Rect, Vec2, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::NodeT as _;
use flowline::format::format_count;
use flowline::index::FlowGraph;
use flowline::index::Index;
use flowline::index::search::{Hits, Query, run as search};
use flowline::profile::{MarkerId, Profile, ThreadId};
use flowline::scene::{ItemKind, MarkerRow, hit};
use flowline::session::{MarkerCard, Session, Wake};
use flowline::ui::{AppRequest, KeyMap, Panels, Shell, TableKind};
use flowline::view::{Command, Theme, ViewState};

pub(crate) use crate::support::example;

/// State of the harness: the shell, and its requests so far.
pub(crate) struct Contents {
    pub(crate) shell: Shell,
    pub(crate) requests: Vec<AppRequest>,
}

/// A node of the accessibility tree.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) role: Role,
    /// Its label, or the content of a text node.
    pub(crate) text: String,
    pub(crate) rect: Rect,
    pub(crate) focused: bool,
    pub(crate) selected: bool,
}

/// A window under test.
pub(crate) struct Window {
    pub(crate) harness: Harness<'static, Contents>,
}

pub(crate) fn session(index: Arc<Index>, path: &Path) -> Session {
    Session::new(path.to_owned(), index, Arc::new(|| {}))
}

pub(crate) fn found(profile: &Profile, query: &str) -> Hits {
    search(profile, &FlowGraph::build(profile), &Query::parse(query), &|| true).expect("not canceled")
}

impl Window {
    pub(crate) fn with(shell: Shell, size: Vec2, scale: f32) -> Self {
        let show = |ui: &mut egui::Ui, contents: &mut Contents| {
            let requests = contents.shell.show(ui);
            contents.requests.extend(requests);
        };
        let builder = Harness::builder().with_size(size).with_pixels_per_point(scale);
        let builder = builder.with_step_dt(1.0 / 60.0).with_max_steps(400);
        Self { harness: builder.build_ui_state(show, Contents { shell, requests: Vec::new() }) }
    }

    pub(crate) fn showing(session: Session, keys: KeyMap, size: Vec2, scale: f32) -> Self {
        let mut shell = Shell::new(keys, Theme::Dark);
        shell.open(session, &(Arc::new(|| {}) as Wake));
        let mut window = Self::with(shell, size, scale);
        window.settle();
        window
    }

    /// The example in a window of the default size.
    pub(crate) fn example() -> Self {
        Self::whole(vec2(1440.0, 900.0))
    }

    /// The example with all initially expanded rows loaded; later rows would move the others.
    fn whole(size: Vec2) -> Self {
        let mut window = Self::showing(session(example(), Path::new("")), KeyMap::Flowline, size, 1.0);
        window.wait("the rows", |window| !window.session().is_busy());
        window
    }

    /// The example in a window so tall that every track is visible.
    pub(crate) fn tall() -> Self {
        Self::whole(vec2(1440.0, 3600.0))
    }

    /// Lists idle threads one by one in all processes.
    pub(crate) fn list_idle_threads(&mut self) {
        self.apply(Command::ShowIdleThreads(true));
    }

    pub(crate) fn shell(&mut self) -> &mut Shell {
        &mut self.harness.state_mut().shell
    }

    pub(crate) fn table(&self) -> Option<TableKind> {
        self.harness.state().shell.state.table
    }

    pub(crate) fn session(&self) -> &Session {
        self.harness.state().shell.session().expect("a recording is open")
    }

    pub(crate) fn panels(&self) -> &Panels {
        self.harness.state().shell.panes.first().map(|first| &first.panels).expect("a recording is open")
    }

    pub(crate) fn view(&self) -> &ViewState {
        &self.session().view
    }

    pub(crate) fn profile(&self) -> Arc<Profile> {
        Arc::clone(self.session().index.profile())
    }

    pub(crate) fn apply(&mut self, command: Command) {
        self.shell().session_mut().expect("a recording is open").apply(command);
        self.settle();
    }

    /// Runs frames until no motion and no background work remain, except for queries, whose stand-in may not answer.
    pub(crate) fn settle(&mut self) {
        self.harness.run();
        while self.shell().has_background_work() {
            std::thread::sleep(std::time::Duration::from_millis(1));
            self.harness.run();
        }
        // Requests of the last frame take effect in the next ones.
        self.harness.run_steps(2);
        self.harness.run();
    }

    /// Lets time pass, so that the next click is not a double-click.
    pub(crate) fn pause(&mut self) {
        self.harness.run_steps(40);
    }

    /// Runs frames until `done`, to wait for other threads.
    #[track_caller]
    pub(crate) fn wait(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        for _ in 0..5000 {
            self.harness.run_steps(2);
            if done(self) {
                return self.settle();
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        panic!("timed out waiting for {what}; the window contains {:#?}", self.texts());
    }

    #[track_caller]
    pub(crate) fn wait_for_search(&mut self, text: &str) {
        self.wait("the search", |window| {
            let session = window.session();
            let shown = session.search().map_or("", |search| search.text.as_str());
            !session.is_searching() && shown == text && session.view.search == text
        });
    }

    pub(crate) fn nodes(&self) -> Vec<Node> {
        let scale = f64::from(self.harness.ctx.pixels_per_point());
        let root = self.harness.root();
        let nodes = root.children_recursive().filter_map(|node| {
            let node = node.accesskit_node();
            let text = if node.role() == Role::Label { node.value() } else { node.label() };
            let bounds = node.bounding_box()?;
            #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
            let point = |x: f64, y: f64| pos2((x / scale) as f32, (y / scale) as f32);
            Some(Node {
                role: node.role(),
                text: text.unwrap_or_default(),
                rect: Rect::from_min_max(point(bounds.x0, bounds.y0), point(bounds.x1, bounds.y1)),
                focused: node.is_focused(),
                selected: node.toggled() == Some(Toggled::True) || node.is_selected() == Some(true),
            })
        });
        nodes.collect()
    }

    /// Names of the tables and trees with the keyboard focus. Screen readers, and so [`Self::nodes`], report the focus
    /// on the row with the cursor instead if there is one.
    pub(crate) fn focused_tables(&self) -> Vec<String> {
        let root = self.harness.root();
        let nodes = root.children_recursive().map(|node| node.accesskit_node());
        let tables = nodes.filter(|node| matches!(node.role(), Role::Table | Role::Tree) && node.is_focused_in_tree());
        tables.map(|table| table.label().unwrap_or_default()).collect()
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        self.nodes().into_iter().map(|node| format!("{:?} {}", node.role, node.text)).collect()
    }

    pub(crate) fn all(&self, role: Role, text: &str) -> Vec<Node> {
        self.nodes().into_iter().filter(|node| node.role == role && node.text == text).collect()
    }

    pub(crate) fn has(&self, role: Role, text: &str) -> bool {
        !self.all(role, text).is_empty()
    }

    /// True if any text of the window contains `part`.
    pub(crate) fn says(&self, part: &str) -> bool {
        self.nodes().iter().any(|node| node.text.contains(part))
    }

    /// The first node with a role and a text.
    #[track_caller]
    pub(crate) fn get(&self, role: Role, text: &str) -> Node {
        let found = self.all(role, text).into_iter().next();
        found.unwrap_or_else(|| panic!("no {role:?} \"{text}\" among {:#?}", self.texts()))
    }

    /// Nodes of a role whose text starts with `text`.
    pub(crate) fn nodes_with_prefix(&self, role: Role, text: &str) -> Vec<Node> {
        self.nodes().into_iter().filter(|node| node.role == role && node.text.starts_with(text)).collect()
    }

    #[track_caller]
    pub(crate) fn node_with_prefix(&self, role: Role, text: &str) -> Node {
        let found = self.nodes().into_iter().find(|node| node.role == role && node.text.starts_with(text));
        found.unwrap_or_else(|| panic!("no {role:?} \"{text}...\" among {:#?}", self.texts()))
    }

    pub(crate) fn chart(&self) -> Rect {
        let session = self.session();
        let (chart, scale) = (session.canvas.regions.chart, session.canvas.scale);
        Rect::from_min_size(pos2(chart.x, chart.y) / scale, vec2(chart.width, chart.height) / scale)
    }

    /// Nanoseconds per point.
    pub(crate) fn point_ns(&self) -> f64 {
        self.view().axis.ns_per_pixel() * f64::from(self.session().canvas.scale)
    }

    /// The time at a horizontal position of the chart, in points.
    pub(crate) fn time_at(&self, x: f32) -> i64 {
        let session = self.session();
        session.view.axis.time(f64::from(x * session.canvas.scale - session.canvas.regions.chart.x)).0
    }

    /// Visible markers that the pointer can hit individually, with their positions, from top to bottom.
    pub(crate) fn hoverable_markers(&self) -> Vec<(MarkerId, Pos2)> {
        let session = self.session();
        let (input, axis) = (session.scene_input(), &session.view.axis);
        let chart = input.regions.chart;
        let mut places = Vec::new();
        for item in input.visible_items() {
            let ItemKind::Row(MarkerRow { thread, row, .. }) = item.kind else { continue };
            let y = input.item_y(item) + input.item_height(item) / 2.0;
            let data = session.index.profile().thread(thread);
            // The rows of a stack with calls differ from those of its markers alone.
            let shown = session.list().shown().layout(&session.index, session.view.arrangement, thread);
            let markers = shown.expect("rows on screen").rows.row(row as usize);
            for marker in markers.iter().map(|local| data.global(*local)) {
                let times = session.view.times_of(marker).expect("a marker");
                let (left, right) = (axis.pixel(times.start), axis.pixel(times.end));
                if left < 20.0 || right > axis.width() - 400.0 {
                    continue;
                }
                #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
                let x = chart.x + (left.midpoint(right).floor() + 0.5) as f32;
                if hit(&input, x, y).is_some_and(|hit| hit.marker == marker && hit.count == 1) {
                    places.push((marker, pos2(x, y) / input.scale));
                }
            }
        }
        assert!(places.len() > 8, "enough markers are visible: {}", places.len());
        places
    }

    pub(crate) fn card(&self, marker: MarkerId) -> MarkerCard {
        MarkerCard::new(&self.session().index, marker, self.session().view.clock()).expect("a marker")
    }

    /// A visible marker with a few fields whose heading is not shown anywhere yet.
    pub(crate) fn marker_with_fields(&self) -> (MarkerId, Pos2) {
        let found = self.hoverable_markers().into_iter().find(|(marker, _)| {
            let card = self.card(*marker);
            card.lines.len() > 4 && card.lines.iter().all(|(_, value)| value.len() < 200) && !self.says(&card.heading)
        });
        found.expect("a marker with fields")
    }

    #[track_caller]
    pub(crate) fn selected(&self) -> MarkerId {
        self.view().selected.expect("a marker is selected")
    }

    /// True if the details show a marker.
    pub(crate) fn details_of(&self, marker: MarkerId) -> bool {
        self.has(Role::Button, "More actions") && self.has(Role::Label, &self.card(marker).heading)
    }

    pub(crate) fn headings(&self) -> Vec<Node> {
        self.nodes()
            .into_iter()
            .filter(|node| node.role == Role::DisclosureTriangle && node.text.starts_with("Thread "))
            .collect()
    }

    pub(crate) fn heading(&self, thread: ThreadId, what: &str, count: usize, expanded: bool) -> String {
        let state = if expanded { "expanded" } else { "collapsed" };
        let count = format_count(count as u64);
        format!("Thread {}, {count} {what}, {state}", self.profile().thread(thread).name)
    }
}

/// Asserts that two times are within some points of each other.
#[track_caller]
pub(crate) fn near(window: &Window, one: i64, other: i64, points: f64) {
    #[expect(clippy::cast_precision_loss, reason = "a difference of nearby times")]
    let distance = (one - other).abs() as f64 / window.point_ns();
    assert!(distance <= points, "{one} and {other} are {distance:.2} points apart");
}
