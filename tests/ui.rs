//! The window's contents without a window: what stands in the accessibility tree, and what keys and mouse do to it.
//!
//! Every test drives [`Shell`] as the event loop does. Time is made up (60 frames a second), so motions and double
//! clicks are the same on any machine; what runs on the pool (search, sorting) is waited for with a bound.

mod recording;

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use egui::accesskit::{Role, Toggled};
use egui::{
    Event, Key, Modifiers, MouseWheelUnit, OutputCommand, PointerButton, Pos2, Rect, TouchPhase, Vec2, pos2, vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use flowline::app::{Origin, load};
use flowline::import::{self, Options, Progress};
use flowline::index::search::{Hits, Query, run as search};
use flowline::index::{Arrangement, GroupKind, Index};
use flowline::profile::{MarkerId, Profile, ThreadId, TimeRange};
use flowline::scene::{ItemKind, hit};
use flowline::ui::{Column, Document, KeyMap, Loading, MarkerCard, Request, Shell, ordered, time_text};
use flowline::view::{Command, Theme, ViewState};
use recording::{Recording, instant, text as text_of};

/// What the harness runs: the shell, and what it asked for so far.
struct Contents {
    shell: Shell,
    requests: Vec<Request>,
}

/// A node of the accessibility tree.
#[derive(Clone, Debug)]
struct Node {
    role: Role,
    /// Its label; of texts, the text.
    text: String,
    rect: Rect,
    focused: bool,
    selected: bool,
}

/// A window under test.
struct Window {
    harness: Harness<'static, Contents>,
}

fn example() -> Arc<Index> {
    static EXAMPLE: OnceLock<Arc<Index>> = OnceLock::new();
    let read =
        || load(&Origin::Example, Options::default(), &Progress::default()).expect("the example can be read").index;
    Arc::clone(EXAMPLE.get_or_init(read))
}

fn document(index: Arc<Index>, path: &Path) -> Document {
    Document::new(path.to_owned(), index, Arc::new(|| {}))
}

fn found(profile: &Profile, query: &str) -> Hits {
    search(profile, &Query::parse(query), &|| true).expect("nobody cancels")
}

impl Window {
    fn with(shell: Shell, size: Vec2, scale: f32) -> Self {
        let show = |ui: &mut egui::Ui, contents: &mut Contents| {
            let requests = contents.shell.show(ui);
            contents.requests.extend(requests);
        };
        let builder = Harness::builder().with_size(size).with_pixels_per_point(scale);
        let builder = builder.with_step_dt(1.0 / 60.0).with_max_steps(400);
        Self { harness: builder.build_ui_state(show, Contents { shell, requests: Vec::new() }) }
    }

    fn showing(document: Document, keys: KeyMap, size: Vec2, scale: f32) -> Self {
        let mut shell = Shell::new(keys, Theme::Dark);
        shell.open(document);
        let mut window = Self::with(shell, size, scale);
        window.settle();
        window
    }

    /// The example in a window of usual size.
    fn example() -> Self {
        Self::showing(document(example(), Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0)
    }

    /// The example in a window so tall that every track is on screen.
    fn tall() -> Self {
        Self::showing(document(example(), Path::new("")), KeyMap::Flowline, vec2(1440.0, 3600.0), 1.0)
    }

    fn shell(&mut self) -> &mut Shell {
        &mut self.harness.state_mut().shell
    }

    fn document(&self) -> &Document {
        self.harness.state().shell.document.as_ref().expect("a recording is open")
    }

    fn view(&self) -> &ViewState {
        &self.document().view
    }

    fn profile(&self) -> Arc<Profile> {
        Arc::clone(self.document().index.profile())
    }

    fn apply(&mut self, command: Command) {
        self.shell().document.as_mut().expect("a recording is open").apply(command);
        self.settle();
    }

    /// Runs frames until nothing moves.
    fn settle(&mut self) {
        self.harness.run();
        // What was asked for in the last frame shows in the next ones.
        self.harness.run_steps(2);
        self.harness.run();
    }

    /// Lets time pass, so that the next click is no double click.
    fn pause(&mut self) {
        self.harness.run_steps(40);
    }

    /// Runs frames until `done`, for what other threads compute.
    #[track_caller]
    fn wait(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        for _ in 0..5000 {
            self.harness.run_steps(2);
            if done(self) {
                return self.settle();
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        panic!("waited in vain for {what}; the window says {:#?}", self.texts());
    }

    #[track_caller]
    fn wait_for_search(&mut self, text: &str) {
        self.wait("the search", |window| {
            let document = window.document();
            let shown = document.search.as_ref().map_or("", |search| search.text.as_str());
            !document.runner.is_running() && shown == text && document.view.search == text
        });
    }

    fn nodes(&self) -> Vec<Node> {
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
                selected: node.toggled() == Some(Toggled::True),
            })
        });
        nodes.collect()
    }

    fn texts(&self) -> Vec<String> {
        self.nodes().into_iter().map(|node| format!("{:?} {}", node.role, node.text)).collect()
    }

    fn all(&self, role: Role, text: &str) -> Vec<Node> {
        self.nodes().into_iter().filter(|node| node.role == role && node.text == text).collect()
    }

    fn has(&self, role: Role, text: &str) -> bool {
        !self.all(role, text).is_empty()
    }

    /// Whether any text of the window contains this.
    fn says(&self, part: &str) -> bool {
        self.nodes().iter().any(|node| node.text.contains(part))
    }

    /// The first node with a role and a text.
    #[track_caller]
    fn get(&self, role: Role, text: &str) -> Node {
        let found = self.all(role, text).into_iter().next();
        found.unwrap_or_else(|| panic!("no {role:?} \"{text}\" among {:#?}", self.texts()))
    }

    #[track_caller]
    fn starting(&self, role: Role, text: &str) -> Node {
        let found = self.nodes().into_iter().find(|node| node.role == role && node.text.starts_with(text));
        found.unwrap_or_else(|| panic!("no {role:?} \"{text}...\" among {:#?}", self.texts()))
    }

    fn event(&mut self, event: Event) {
        self.harness.event(event);
    }

    fn button(&mut self, place: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
        self.event(Event::PointerButton { pos: place, button, pressed, modifiers });
    }

    fn click_at(&mut self, place: Pos2) {
        self.pause();
        self.event(Event::PointerMoved(place));
        for pressed in [true, false] {
            self.button(place, PointerButton::Primary, pressed, Modifiers::NONE);
        }
        self.settle();
    }

    #[track_caller]
    fn click(&mut self, role: Role, text: &str) {
        let place = self.get(role, text).rect.center();
        self.click_at(place);
    }

    #[track_caller]
    fn press(&mut self, label: &str) {
        self.click(Role::Button, label);
    }

    /// Chooses an entry of a node's context menu.
    #[track_caller]
    fn choose(&mut self, node: &Node, entry: &str) {
        let place = node.rect.center();
        self.pause();
        self.event(Event::PointerMoved(place));
        for pressed in [true, false] {
            self.button(place, PointerButton::Secondary, pressed, Modifiers::NONE);
        }
        self.settle();
        self.press(entry);
    }

    fn point_at(&mut self, place: Pos2) {
        self.event(Event::PointerMoved(place));
        self.settle();
    }

    fn drag(&mut self, from: Pos2, to: Pos2, modifiers: Modifiers) {
        self.pause();
        self.event(Event::ModifiersChanged(modifiers));
        self.event(Event::PointerMoved(from));
        self.button(from, PointerButton::Primary, true, modifiers);
        self.event(Event::PointerMoved(from + (to - from) / 2.0));
        self.event(Event::PointerMoved(to));
        self.button(to, PointerButton::Primary, false, modifiers);
        self.event(Event::ModifiersChanged(Modifiers::NONE));
        self.settle();
    }

    fn wheel(&mut self, place: Pos2, delta: Vec2, modifiers: Modifiers) {
        self.event(Event::PointerMoved(place));
        self.event(Event::ModifiersChanged(modifiers));
        self.event(Event::MouseWheel {
            unit: MouseWheelUnit::Line,
            delta,
            phase: TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers,
        });
        self.settle();
        self.pause();
        self.event(Event::ModifiersChanged(Modifiers::NONE));
        self.settle();
    }

    /// One frame with several events.
    fn together(&mut self, events: impl IntoIterator<Item = Event>) {
        self.harness.input_mut().events.extend(events);
        self.harness.step();
    }

    fn key(&mut self, key: Key) {
        self.harness.key_press(key);
        self.settle();
    }

    fn chord(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.settle();
    }

    /// Types text as a keyboard does: a key that goes down, and the text it makes.
    fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            let name = letter.to_string();
            let key = Key::from_name(&name.to_uppercase());
            let event = |pressed| {
                let modifiers = Modifiers::NONE;
                key.map(|key| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers })
            };
            for event in [event(true), Some(Event::Text(name)), event(false)].into_iter().flatten() {
                self.event(event);
            }
        }
        self.settle();
    }

    /// What the last copying put on the clipboard.
    fn copy(&mut self) -> Vec<String> {
        self.event(Event::Copy);
        self.harness.step();
        let commands = self.harness.output().platform_output.commands.clone();
        self.settle();
        commands
            .into_iter()
            .filter_map(|command| match command {
                OutputCommand::CopyText(text) => Some(text),
                _ => None,
            })
            .collect()
    }

    fn chart(&self) -> Rect {
        let document = self.document();
        let (chart, scale) = (document.regions.chart, document.canvas.1);
        Rect::from_min_size(pos2(chart.x, chart.y) / scale, vec2(chart.width, chart.height) / scale)
    }

    /// Nanoseconds a point lasts.
    fn point_ns(&self) -> f64 {
        self.view().axis.ns_per_pixel() * f64::from(self.document().canvas.1)
    }

    /// The time at a horizontal place of the chart, in points.
    fn time_at(&self, x: f32) -> i64 {
        let document = self.document();
        document.view.axis.time(f64::from(x * document.canvas.1 - document.regions.chart.x)).0
    }

    /// The markers that the pointer can single out on screen, and where; from top to bottom.
    fn pointable(&self) -> Vec<(MarkerId, Pos2)> {
        let document = self.document();
        let (input, axis) = (document.scene_input(), &document.view.axis);
        let chart = input.regions.chart;
        let mut places = Vec::new();
        for item in input.visible_items() {
            let ItemKind::Row { thread, row, .. } = item.kind else { continue };
            let y = input.item_y(item) + input.item_height(item) / 2.0;
            let data = document.index.profile().thread(thread);
            let markers = document.index.layout(document.view.arrangement).thread(thread).rows.row(row as usize);
            for marker in markers.iter().map(|local| data.global(*local)) {
                let times = document.view.times_of(marker).expect("a marker");
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
        assert!(places.len() > 20, "a recording whose markers can be seen: {}", places.len());
        places
    }

    fn card(&self, marker: MarkerId) -> MarkerCard {
        MarkerCard::new(&self.document().index, marker).expect("a marker")
    }

    /// A marker on screen that has a few fields and whose heading stands nowhere yet.
    fn telling(&self) -> (MarkerId, Pos2) {
        let found = self.pointable().into_iter().find(|(marker, _)| {
            let card = self.card(*marker);
            card.lines.len() > 4 && card.lines.iter().all(|(_, value)| value.len() < 200) && !self.says(&card.heading)
        });
        found.expect("a marker with fields")
    }

    #[track_caller]
    fn selected(&self) -> MarkerId {
        self.view().selected.expect("a marker is selected")
    }

    /// Whether details are shown for a marker.
    fn details_of(&self, marker: MarkerId) -> bool {
        self.has(Role::Button, "Show in chart") && self.has(Role::Label, &self.card(marker).heading)
    }

    fn headings(&self) -> Vec<Node> {
        self.nodes()
            .into_iter()
            .filter(|node| node.role == Role::DisclosureTriangle && node.text.starts_with("Thread "))
            .collect()
    }

    fn heading(&self, thread: ThreadId, what: &str, count: usize, expanded: bool) -> String {
        let state = if expanded { "expanded" } else { "collapsed" };
        format!("Thread {}, {count} {what}, {state}", self.profile().thread(thread).name)
    }
}

/// Whether two times are within some points of each other.
#[track_caller]
fn near(window: &Window, one: i64, other: i64, points: f64) {
    #[expect(clippy::cast_precision_loss, reason = "a difference of nearby times")]
    let distance = (one - other).abs() as f64 / window.point_ns();
    assert!(distance <= points, "{one} and {other} are {distance:.2} points apart");
}

// ---- tracks

#[test]
fn tracks_are_readable_with_their_counts_and_state() {
    let window = Window::tall();
    let profile = window.profile();
    for process in &profile.processes {
        window.get(Role::DisclosureTriangle, &format!("Process {}, pid {}, expanded", process.name, process.pid));
    }
    let mut expected = BTreeMap::new();
    for (id, thread) in profile.threads_with_ids() {
        let expanded = window.view().tracks.expanded.contains(&id);
        *expected.entry(window.heading(id, "markers", thread.markers.len(), expanded)).or_insert(0) += 1;
        if expanded {
            let rows = &window.document().index.layout(Arrangement::ByName).thread(id).rows;
            for group in &rows.groups {
                let name = match group.kind {
                    GroupKind::Name(name) => profile.strings.get(name),
                    GroupKind::Network => "Network Requests",
                    GroupKind::Stack => "Stack",
                };
                let rows: usize =
                    (group.first_row..group.first_row + group.rows).map(|row| rows.row(row as usize).len()).sum();
                window.get(Role::Label, &format!("{name}, {}, {rows} markers", profile.category_name(group.category)));
            }
        }
    }
    let mut seen = BTreeMap::new();
    for heading in window.headings() {
        *seen.entry(heading.text).or_insert(0) += 1;
    }
    assert_eq!(seen, expected);
    assert!(!window.view().tracks.expanded.is_empty(), "the main thread is open from the start");
}

#[test]
fn a_click_on_a_heading_folds_and_unfolds() {
    let mut window = Window::tall();
    let main = ThreadId::new(0);
    let markers = window.profile().thread(main).markers.len();
    let (open, shut) =
        (window.heading(main, "markers", markers, true), window.heading(main, "markers", markers, false));
    let row = "GCMinor, GC / CC, 4 markers";
    assert!(window.has(Role::Label, row));
    window.click(Role::DisclosureTriangle, &open);
    assert!(window.has(Role::DisclosureTriangle, &shut) && !window.has(Role::DisclosureTriangle, &open));
    assert!(!window.has(Role::Label, row), "the rows of a folded thread are gone");
    window.click(Role::DisclosureTriangle, &shut);
    assert!(window.has(Role::DisclosureTriangle, &open) && window.has(Role::Label, row));

    let threads = window.headings().len();
    let process = window.starting(Role::DisclosureTriangle, "Process Parent Process");
    window.click_at(process.rect.center());
    assert!(window.starting(Role::DisclosureTriangle, "Process Parent Process").text.ends_with("collapsed"));
    assert_eq!(window.headings().len(), threads - 7, "its threads are folded away with it");
}

#[test]
fn threads_can_be_hidden_and_shown_again() {
    let mut window = Window::tall();
    let all = window.headings();
    let compositor = window.starting(Role::DisclosureTriangle, "Thread Compositor");
    window.choose(&compositor, "Hide this thread");
    assert!(!window.says("Thread Compositor"), "it is hidden");
    assert_eq!(window.headings().len(), all.len() - 1);
    let renderer = window.starting(Role::DisclosureTriangle, "Thread Renderer");
    window.choose(&renderer, "Show all threads");
    assert_eq!(window.headings().len(), all.len());
    let renderer = window.starting(Role::DisclosureTriangle, "Thread Renderer");
    window.choose(&renderer, "Show only this thread");
    let only = window.headings();
    assert_eq!(only.len(), 1);
    assert!(only[0].text.starts_with("Thread Renderer") && only[0].text.ends_with("expanded"), "{}", only[0].text);
    window.choose(&only[0], "Collapse all threads");
    assert!(window.headings()[0].text.ends_with("collapsed"));
    let heading = window.headings()[0].clone();
    window.choose(&heading, "Hide this thread");
    assert!(window.headings().is_empty());
    let hidden = window.nodes().into_iter().find(|node| node.role == Role::Button && node.text.contains("hidden"));
    let hidden = hidden.expect("with every thread hidden, something still brings them back");
    window.click_at(hidden.rect.center());
    assert_eq!(window.headings().len(), all.len());
}

// ---- search

#[test]
fn typing_narrows_the_tracks_and_counts() {
    let mut window = Window::tall();
    let profile = window.profile();
    window.event(Event::Text("/".into()));
    window.settle();
    assert!(window.get(Role::TextInput, "Search markers").focused, "/ goes to the search box");
    assert_eq!(window.view().search, "", "and is not typed there");
    let mut text = String::new();
    for more in ["styles", ", dur:>2ms", "  "] {
        window.type_text(more);
        text += more;
        window.wait_for_search(&text);
        let hits = found(&profile, &text);
        assert!(hits.total() > 0 && hits.total() < profile.marker_count(), "\"{text}\" narrows");
        assert!(window.says(&format!("{} of 2,744", hits.total())), "{:#?}", window.texts());
        let headings: Vec<String> = window.headings().into_iter().map(|heading| heading.text).collect();
        for (id, _) in profile.threads_with_ids() {
            let expanded = window.view().tracks.expanded.contains(&id);
            let (count, heading) = (hits.thread(id).len(), |count| window.heading(id, "hits", count, expanded));
            assert_eq!(headings.contains(&heading(count)), count > 0, "{} in {headings:#?}", heading(count));
        }
    }
    assert!(window.get(Role::TextInput, "Search markers").focused, "one can go on typing");
    window.press("✖");
    window.wait_for_search("");
    assert_eq!(window.headings().len(), profile.threads.len());
    assert!(!window.says("of 2,744"));
}

#[test]
fn enter_walks_the_hits_in_time_order() {
    let mut window = Window::example();
    let profile = window.profile();
    window.chord(Modifiers::CTRL | Modifiers::COMMAND, Key::F);
    window.type_text("styles");
    window.wait_for_search("styles");
    let hits = found(&profile, "styles");
    let mut order: Vec<MarkerId> = hits.iter(&profile).collect();
    order.sort_by_key(|marker| (window.view().times_of(*marker).expect("a marker").start, *marker));
    for expected in &order[..4] {
        window.key(Key::Enter);
        assert_eq!(window.selected(), *expected);
        assert!(window.details_of(*expected), "{:#?}", window.texts());
        let item = window.document().item_of(*expected).expect("its thread is shown");
        let scroll = window.view().scroll;
        assert!(
            item.y >= scroll && item.y + item.height <= scroll + f64::from(window.chart().height()),
            "it is on screen"
        );
    }
    for expected in [order[2], order[1], order[0], order[order.len() - 1]] {
        window.chord(Modifiers::SHIFT, Key::Enter);
        assert_eq!(window.selected(), expected);
    }
    window.key(Key::Enter);
    assert_eq!(window.selected(), order[0], "the last is followed by the first");
    assert!(window.get(Role::TextInput, "Search markers").focused);
    assert_eq!(window.view().search, "styles");
}

#[test]
fn escape_leaves_the_search_box_and_then_clears() {
    let mut window = Window::example();
    window.type_text("/");
    window.type_text("styles");
    window.wait_for_search("styles");
    window.key(Key::Escape);
    assert!(!window.get(Role::TextInput, "Search markers").focused);
    assert_eq!(window.view().search, "styles", "leaving the box keeps what was found");
    let hits = found(&window.profile(), "styles");
    window.key(Key::Enter);
    assert_eq!(
        Some(window.selected()),
        hits.step(&window.profile(), None, true),
        "Enter goes to hits from the chart too"
    );
    window.key(Key::Escape);
    window.wait_for_search("");
    assert!(window.headings().iter().any(|heading| heading.text.contains("markers")));
}

#[test]
fn what_is_typed_into_the_search_box_does_nothing_else() {
    let mut window = Window::example();
    let (marker, place) = window.telling();
    window.click_at(place);
    window.key(Key::Escape);
    window.type_text("/");
    let (axis, scroll) = (window.view().axis, window.view().scroll);
    let text = "wasdqe0flt?/+-";
    window.type_text(text);
    for key in [Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown, Key::End, Key::PageDown, Key::PageUp] {
        window.key(key);
    }
    assert_eq!(window.view().search, text);
    window.key(Key::Backspace);
    assert_eq!(window.view().search, &text[..text.len() - 1]);
    assert!(window.get(Role::TextInput, "Search markers").focused);
    assert_eq!(window.view().axis, axis, "neither zoom nor pan");
    assert_eq!(window.view().arrangement, Arrangement::ByName);
    assert_eq!(window.view().selected, Some(marker));
    // A search that finds nothing leaves no rows to scroll over.
    assert!(window.view().scroll <= scroll);
    assert!(!window.shell().state.show_table && !window.shell().state.show_help);
}

// ---- keys

#[test]
fn keys_zoom_and_pan() {
    let mut window = Window::example();
    let centre = window.chart().center().x;
    let (whole, time) = (window.view().axis, window.time_at(centre));
    window.key(Key::W);
    window.key(Key::W);
    assert!(window.view().axis.span() < whole.span() / 2.0, "W comes closer");
    near(&window, window.time_at(centre), time, 1.0);
    let near_span = window.view().axis.span();
    window.key(Key::S);
    assert!(window.view().axis.span() > near_span * 1.3, "S steps back");
    near(&window, window.time_at(centre), time, 1.0);
    window.event(Event::Text("+".into()));
    window.settle();
    assert!((window.view().axis.span() / near_span - 1.0).abs() < 1e-6, "+ undoes S");
    window.event(Event::Text("-".into()));
    window.settle();
    assert!(window.view().axis.span() > near_span * 1.3, "- is S");

    let before = window.time_at(centre);
    window.key(Key::D);
    let later = window.time_at(centre);
    assert!(later > before, "D shows later times");
    window.key(Key::A);
    near(&window, window.time_at(centre), before, 1.0);

    window.key(Key::Num0);
    assert_eq!(window.view().axis.visible(), window.profile().meta.range, "0 shows the whole recording");
}

#[test]
fn keys_zoom_at_the_pointer() {
    let mut window = Window::example();
    let place = window.chart().lerp_inside(vec2(0.25, 0.5));
    window.point_at(place);
    let time = window.time_at(place.x);
    for _ in 0..6 {
        window.key(Key::W);
    }
    near(&window, window.time_at(place.x), time, 1.0);
    assert!((f64::from(window.chart().width()) * window.point_ns()) < 2.4e9 / 10.0);
}

#[test]
fn f_zooms_to_the_selected_marker() {
    let mut window = Window::example();
    let profile = window.profile();
    let longest = ordered(&profile, None, None, Column::Duration, true);
    for marker in [longest[20], *longest.last().expect("markers")] {
        window.key(Key::Num0);
        let span = window.view().axis.span();
        window.apply(Command::Reveal(marker));
        window.key(Key::F);
        let (times, visible) = (window.view().times_of(marker).expect("a marker"), window.view().axis.visible());
        assert!(visible.start <= times.start && times.end <= visible.end, "{visible:?} holds {times:?}");
        assert!(visible.len() < times.len() * 2 || (times.is_empty() && window.view().axis.span() < span / 4.0));
        window.key(Key::Backspace);
        assert!((window.view().axis.span() / span - 1.0).abs() < 1e-6, "Backspace returns");
    }
}

#[test]
fn arrows_go_from_marker_to_marker() {
    let mut window = Window::example();
    window.key(Key::ArrowRight);
    let first = window.selected();
    assert!(window.details_of(first), "with nothing selected, the first on screen is");
    let (marker, _) = window.telling();
    window.apply(Command::Reveal(marker));
    let place_of = |window: &Window| {
        let profile = window.profile();
        let (thread, local) = profile.locate(window.selected()).expect("a marker");
        let layout = window.document().index.layout(Arrangement::ByName).thread(thread);
        let (row, position) = layout.find(profile.thread(thread), local).expect("it stands on a row");
        (thread, row, position, layout.rows.row(row).len())
    };
    let start = place_of(&window);
    for _ in 0..start.3 + 2 {
        window.key(Key::ArrowRight);
    }
    assert_eq!(place_of(&window), (start.0, start.1, start.3 - 1, start.3), "Right ends at the last of the row");
    window.key(Key::ArrowLeft);
    assert_eq!(place_of(&window).2, start.3.saturating_sub(2));
    for _ in 0..start.3 {
        window.key(Key::ArrowLeft);
    }
    assert_eq!(place_of(&window), (start.0, start.1, 0, start.3), "Left ends at the first");

    let order = |window: &Window| {
        let item = window.document().item_of(window.selected()).expect("it is listed");
        let rows = window.document().list.items().iter().filter(|item| matches!(item.kind, ItemKind::Row { .. }));
        rows.take_while(|row| row.y < item.y).count()
    };
    let row = order(&window);
    window.key(Key::ArrowDown);
    assert_eq!(order(&window), row + 1);
    window.key(Key::ArrowDown);
    assert_eq!(order(&window), row + 2);
    window.key(Key::ArrowUp);
    assert_eq!(order(&window), row + 1);
    for _ in 0..row + 5 {
        window.key(Key::ArrowUp);
    }
    assert_eq!(order(&window), 0, "Up ends at the first row");
}

#[test]
fn a_range_is_zoomed_to_and_left_again() {
    let mut window = Window::example();
    let chart = window.chart();
    window.drag(chart.lerp_inside(vec2(0.3, 0.5)), chart.lerp_inside(vec2(0.5, 0.6)), Modifiers::SHIFT);
    let range = window.view().range.expect("a range is selected");
    let before = window.view().axis.visible();
    window.key(Key::Enter);
    assert_eq!(window.view().axis.visible(), range);
    assert_eq!(window.view().range, None);
    window.key(Key::Backspace);
    assert_eq!(window.view().axis.visible(), before);

    window.apply(Command::SelectRange(Some(range)));
    window.key(Key::F);
    assert_eq!(window.view().axis.visible(), range, "F does it too");
    let crumb = window.starting(Role::Button, "Full range");
    window.click_at(crumb.rect.center());
    assert_eq!(window.view().axis.visible(), before, "and so does the breadcrumb, backwards");
}

#[test]
fn letters_switch_layout_table_and_help() {
    let mut window = Window::tall();
    window.key(Key::L);
    assert_eq!(window.view().arrangement, Arrangement::Stack);
    assert!(window.says("Stack, "), "{:#?}", window.texts());
    window.key(Key::L);
    assert_eq!(window.view().arrangement, Arrangement::ByName);
    window.press("Stack");
    assert_eq!(window.view().arrangement, Arrangement::Stack);
    window.press("By name");
    assert_eq!(window.view().arrangement, Arrangement::ByName);

    window.key(Key::T);
    window.wait("the table", |window| window.says("Marker table"));
    window.key(Key::T);
    assert!(!window.says("Marker table"));

    assert!(!window.says("show the whole recording"));
    window.event(Event::Text("?".into()));
    window.settle();
    for what in
        ["Keys and search", "W / S, + / −, Ctrl+wheel", "show the whole recording", "dur:>5ms  dur:<1s  -dur:<1ms"]
    {
        assert!(window.says(what), "the help says \"{what}\"");
    }
    window.key(Key::Escape);
    assert!(!window.says("show the whole recording"), "Escape closes the help");
    window.press("?");
    assert!(window.says("show the whole recording"));
    window.event(Event::Text("?".into()));
    window.settle();
    assert!(!window.says("show the whole recording"));

    window.chord(Modifiers::CTRL | Modifiers::COMMAND | Modifiers::SHIFT, Key::L);
    assert_eq!(window.shell().theme, Theme::Light);
    assert_eq!(window.view().arrangement, Arrangement::ByName, "Ctrl+Shift+L is not L");
}

#[test]
fn escape_takes_back_one_thing_at_a_time() {
    let mut window = Window::example();
    window.apply(Command::Search("styles".into()));
    window.wait_for_search("styles");
    let (_, place) = window.pointable()[0];
    window.click_at(place);
    let range = window.view().axis.visible();
    window.apply(Command::SelectRange(Some(range)));
    window.event(Event::Text("?".into()));
    window.settle();
    let state = |window: &mut Window| {
        let (help, sticky) = (window.shell().state.show_help, window.has(Role::Button, "Close"));
        let view = window.view();
        [help, sticky, view.range.is_some(), !view.search.is_empty(), view.selected.is_some()]
    };
    for open in (0..=5).rev() {
        let mut expected = [false; 5];
        expected[5 - open..].fill(true);
        assert_eq!(state(&mut window), expected);
        window.key(Key::Escape);
    }
}

#[test]
fn keys_keep_working_after_clicks_into_the_chart() {
    let mut window = Window::example();
    let (marker, place) = window.telling();
    window.click_at(place);
    assert_eq!(window.selected(), marker);
    // Arrow keys must not carry the keyboard focus to the search box or a button.
    for key in [Key::ArrowUp, Key::ArrowUp, Key::ArrowUp, Key::ArrowRight, Key::ArrowDown, Key::ArrowLeft] {
        window.key(key);
    }
    assert!(!window.get(Role::TextInput, "Search markers").focused);
    let span = window.view().axis.span();
    window.type_text("w");
    assert!(window.view().axis.span() < span, "W still zooms");
    assert_eq!(window.view().search, "");

    window.apply(Command::Search("styles".into()));
    window.wait_for_search("styles");
    window.key(Key::Num0);
    let (hit_marker, place) = window.pointable()[0];
    window.click_at(place);
    window.event(Event::PointerMoved(window.chart().center_bottom() - vec2(0.0, 3.0)));
    let next = found(&window.profile(), "styles").step(&window.profile(), Some(hit_marker), true);
    window.key(Key::Enter);
    assert_eq!(window.view().selected, next, "Enter goes to the next hit, and is no click");
    window.key(Key::Space);
    assert_eq!(window.view().selected, next, "Space is no click either");
}

#[test]
fn keys_belong_to_the_widget_with_the_focus() {
    let mut window = Window::tall();
    window.apply(Command::Search("thread:renderer".into()));
    window.wait_for_search("thread:renderer");
    window.harness.get_by_label_contains("Thread Renderer, ").focus();
    window.settle();
    let open = window.starting(Role::DisclosureTriangle, "Thread Renderer").text.ends_with("expanded");
    window.key(Key::Enter);
    let heading = window.starting(Role::DisclosureTriangle, "Thread Renderer");
    assert_eq!(heading.text.ends_with("expanded"), !open, "Enter presses what has the focus");
    assert!(heading.focused);
    window.key(Key::ArrowUp);
    assert!(!window.starting(Role::DisclosureTriangle, "Thread Renderer").focused, "Up leaves it");
    assert_eq!(window.view().selected, None, "and neither goes to a marker");
}

#[test]
fn firefox_keys() {
    let example = document(example(), Path::new(""));
    let mut window = Window::showing(example, KeyMap::Firefox, vec2(1440.0, 500.0), 1.0);
    let span = window.view().axis.span();
    window.key(Key::Q);
    assert!(window.view().axis.span() < span / 1.3, "Q comes closer");
    window.key(Key::E);
    assert!((window.view().axis.span() / span - 1.0).abs() < 1e-6, "E steps back");
    window.key(Key::S);
    let scrolled = window.view().scroll;
    assert!(scrolled > 0.0, "S scrolls down");
    window.key(Key::W);
    assert!(window.view().scroll < scrolled, "W scrolls up");
    assert!((window.view().axis.span() / span - 1.0).abs() < 1e-6, "and neither zooms");
    window.event(Event::Text("?".into()));
    window.settle();
    assert!(window.says("Q / E, + / −, Ctrl+wheel") && window.says("scroll rows up / down"));
}

#[test]
fn pages_scroll_rows() {
    let mut window = Window::example();
    window.key(Key::PageDown);
    let scrolled = window.view().scroll;
    assert!(scrolled > 100.0);
    for _ in 0..20 {
        window.key(Key::PageDown);
    }
    let list = window.document().list.height();
    let room = f64::from(window.chart().height());
    assert!((window.view().scroll + room - list).abs() < 1.0, "PageDown ends at the end");
    for _ in 0..20 {
        window.key(Key::PageUp);
    }
    assert!(window.view().scroll == 0.0);
}

// ---- mouse

/// A tooltip at the marker, its fields, sticky by a click, closed again.
fn tooltip_of(mut window: Window) {
    let (marker, place) = window.telling();
    let card = window.card(marker);
    assert!(!window.has(Role::Label, &card.heading));
    window.point_at(place);
    assert_eq!(window.view().hovered, Some(marker));
    assert!(window.has(Role::Label, &card.heading) && window.has(Role::Label, &card.place));
    for (label, value) in &card.lines {
        assert!(window.has(Role::Label, label) && window.has(Role::Label, value), "{label}: {value}");
    }
    assert!(window.view().selected.is_none() && !window.has(Role::Button, "Close"), "it only hovers");
    window.point_at(window.chart().right_bottom() + vec2(0.0, 12.0));
    assert!(!window.has(Role::Label, &card.heading), "it goes with the pointer");

    window.click_at(place);
    assert_eq!(window.selected(), marker);
    assert!(window.has(Role::Button, "Close"), "a click keeps the tooltip");
    assert!(window.details_of(marker));
    window.point_at(window.chart().right_bottom() + vec2(0.0, 12.0));
    assert!(window.has(Role::Button, "Close"), "it stays without the pointer");
    assert_eq!(window.all(Role::Label, &card.heading).len(), 2, "tooltip and details");
    window.press("Close");
    assert!(!window.has(Role::Button, "Close"));
    assert_eq!(window.all(Role::Label, &card.heading).len(), 1, "details stay");
    assert_eq!(window.copy(), [card.to_text()], "Ctrl+C copies the selected marker");
}

#[test]
fn hovering_tells_and_clicking_keeps() {
    tooltip_of(Window::example());
}

#[test]
fn pixels_are_hit_on_dense_screens_too() {
    let example = document(example(), Path::new(""));
    tooltip_of(Window::showing(example, KeyMap::Flowline, vec2(1440.0, 900.0), 2.0));
}

#[test]
fn buttons_of_the_details_work() {
    let mut window = Window::example();
    let (marker, place) = window.telling();
    window.click_at(place);
    window.press("Close");
    let heading = {
        let (thread, _) = window.profile().locate(marker).expect("a marker");
        window.heading(thread, "markers", window.profile().thread(thread).markers.len(), true)
    };
    window.click(Role::DisclosureTriangle, &heading);
    assert!(!window.has(Role::DisclosureTriangle, &heading));
    window.press("Show in chart");
    assert!(window.has(Role::DisclosureTriangle, &heading), "its thread is unfolded");
    let item = window.document().item_of(marker).expect("it is listed");
    assert!(matches!(item.kind, ItemKind::Row { .. }));
    let span = window.view().axis.span();
    window.press("Zoom to it");
    let (times, visible) = (window.view().times_of(marker).expect("a marker"), window.view().axis.visible());
    assert!(window.view().axis.span() < span && visible.start <= times.start && times.end <= visible.end);
    let copy = window.get(Role::Button, "Copy").rect.center();
    window.pause();
    window.event(Event::PointerMoved(copy));
    window.button(copy, PointerButton::Primary, true, Modifiers::NONE);
    window.button(copy, PointerButton::Primary, false, Modifiers::NONE);
    window.harness.step();
    let copied = window.harness.output().platform_output.commands.clone();
    assert!(copied.contains(&OutputCommand::CopyText(window.card(marker).to_text())), "{copied:?}");
}

#[test]
fn a_double_click_zooms_to_the_marker_that_was_clicked() {
    let mut window = Window::example();
    let places = window.pointable();
    // The details that open with the first click make the chart narrower: far right, everything moves.
    let (marker, place) = places.into_iter().max_by(|a, b| a.1.x.total_cmp(&b.1.x)).expect("markers");
    let span = window.view().axis.span();
    window.pause();
    window.event(Event::PointerMoved(place));
    for pressed in [true, false, true, false] {
        window.button(place, PointerButton::Primary, pressed, Modifiers::NONE);
    }
    window.settle();
    assert_eq!(window.view().selected, Some(marker));
    let (times, visible) = (window.view().times_of(marker).expect("a marker"), window.view().axis.visible());
    assert!(window.view().axis.span() < span / 2.0, "it zooms");
    assert!(visible.start <= times.start && times.end <= visible.end, "to the marker");
    assert!(!window.has(Role::Button, "Close"), "no tooltip is left behind");
}

#[test]
fn a_click_beside_all_markers_deselects() {
    let mut window = Window::tall();
    let (_, place) = window.telling();
    window.click_at(place);
    let empty = window.chart().center_bottom() - vec2(0.0, 4.0);
    window.click_at(empty);
    assert!(window.view().selected.is_none() && !window.has(Role::Button, "Show in chart"));
}

#[test]
fn dragging_the_chart_moves_it() {
    let mut window = Window::example();
    let chart = window.chart();
    for _ in 0..3 {
        window.key(Key::W);
    }
    let (from, to) = (chart.lerp_inside(vec2(0.6, 0.8)), chart.lerp_inside(vec2(0.35, 0.45)));
    let (time, scroll, span) = (window.time_at(from.x), window.view().scroll, window.view().axis.span());
    window.drag(from, to, Modifiers::NONE);
    near(&window, window.time_at(to.x), time, 1.0);
    assert!((window.view().scroll - scroll - f64::from(from.y - to.y)).abs() < 1.0, "rows move along");
    assert!((window.view().axis.span() / span - 1.0).abs() < 1e-9);
    assert!(window.view().selected.is_none() && window.view().range.is_none(), "a drag is no click");
}

#[test]
fn slow_frames_lose_no_part_of_a_drag() {
    let mut window = Window::example();
    for _ in 0..3 {
        window.key(Key::W);
    }
    let chart = window.chart();
    let ruler = window.starting(Role::Slider, "Time ruler").rect;
    for (area, selects) in [(chart, false), (ruler, true)] {
        let (from, to) = (area.lerp_inside(vec2(0.6, 0.5)), area.lerp_inside(vec2(0.3, 0.5)));
        let time = window.time_at(from.x);
        window.pause();
        let press = |pos, pressed| {
            let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
            Event::PointerButton { pos, button, pressed, modifiers }
        };
        let between = |part| Event::PointerMoved(from + (to - from) * part);
        window.together([Event::PointerMoved(from), press(from, true), between(0.1)]);
        window.together([between(0.2), between(0.5)]);
        window.together([Event::PointerMoved(to), press(to, false)]);
        window.settle();
        if selects {
            let range = window.view().range.expect("a range");
            near(&window, range.start.0, window.time_at(to.x), 1.0);
            near(&window, range.end.0, time, 1.0);
        } else {
            near(&window, window.time_at(to.x), time, 1.0);
        }
    }
}

#[test]
fn dragging_selects_a_range_with_shift_or_on_the_ruler() {
    let mut window = Window::example();
    let chart = window.chart();
    let ruler = window.starting(Role::Slider, "Time ruler").rect;
    for (area, modifiers) in [(chart, Modifiers::SHIFT), (ruler, Modifiers::NONE)] {
        for (from, to) in [(0.2, 0.4), (0.7, 0.5)] {
            let (from, to) = (area.lerp_inside(vec2(from, 0.5)), area.lerp_inside(vec2(to, 0.5)));
            let before = window.view().axis;
            window.drag(from, to, modifiers);
            let range = window.view().range.expect("a range");
            near(&window, range.start.0, window.time_at(from.x.min(to.x)), 1.0);
            near(&window, range.end.0, window.time_at(from.x.max(to.x)), 1.0);
            assert_eq!(window.view().axis, before, "the view stays");
        }
        assert!(window.says("range "), "the status line tells its length");
        window.click_at(area.lerp_inside(vec2(0.9, 0.5)));
        window.apply(Command::SelectRange(None));
    }
}

#[test]
fn the_wheel_scrolls_zooms_and_pans() {
    let mut window = Window::example();
    let place = window.chart().lerp_inside(vec2(0.7, 0.4));
    let axis = window.view().axis;
    window.wheel(place, vec2(0.0, -3.0), Modifiers::NONE);
    let scrolled = window.view().scroll;
    assert!(scrolled > 30.0, "down: {scrolled}");
    assert_eq!(window.view().axis, axis, "rows only");
    window.wheel(place, vec2(0.0, 1.0), Modifiers::NONE);
    assert!(window.view().scroll < scrolled);
    let labels = pos2(window.chart().min.x - 60.0, place.y);
    let scrolled = window.view().scroll;
    window.wheel(labels, vec2(0.0, -2.0), Modifiers::NONE);
    assert!(window.view().scroll > scrolled, "over the labels too");

    let (time, scrolled) = (window.time_at(place.x), window.view().scroll);
    window.wheel(place, vec2(0.0, 4.0), Modifiers::CTRL | Modifiers::COMMAND);
    assert!(window.view().axis.span() < axis.span() / 1.2, "Ctrl+wheel zooms");
    near(&window, window.time_at(place.x), time, 1.0);
    assert!((window.view().scroll - scrolled).abs() < 1e-9, "and does not scroll");

    let (span, start) = (window.view().axis.span(), window.view().axis.visible().start);
    window.wheel(place, vec2(0.0, -2.0), Modifiers::SHIFT);
    assert!(window.view().axis.visible().start > start, "Shift+wheel pans");
    assert!((window.view().axis.span() / span - 1.0).abs() < 1e-9);
    window.wheel(place, vec2(0.0, -30.0), Modifiers::CTRL | Modifiers::COMMAND);
    assert!(window.view().axis.span() > span, "the other way steps back");
}

#[test]
fn the_overview_moves_and_resizes_the_window() {
    let mut window = Window::example();
    for _ in 0..3 {
        window.key(Key::W);
    }
    let overview = window.get(Role::Canvas, "Overview of the whole recording").rect;
    let extent = window.document().index.extent();
    #[expect(clippy::cast_precision_loss, reason = "screen coordinates")]
    let point = extent.len() as f64 / f64::from(overview.width());
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates")]
    let x_of = |time: i64| overview.min.x + ((time - extent.start.0) as f64 / point) as f32;
    let y = overview.center().y + 8.0;
    let apart = |one: i64, other: i64| {
        #[expect(clippy::cast_precision_loss, reason = "a difference of nearby times")]
        let points = (one - other) as f64 / point;
        points
    };

    let before = window.view().axis.visible();
    let middle = f32::midpoint(x_of(before.start.0), x_of(before.end.0));
    window.drag(pos2(middle, y), pos2(middle + 120.0, y), Modifiers::NONE);
    let moved = window.view().axis.visible();
    assert!((apart(moved.start.0, before.start.0) - 120.0).abs() < 2.0, "its window follows the pointer");
    assert!((apart(moved.len(), before.len())).abs() < 0.1, "and keeps its size");

    let (left, right) = (x_of(moved.start.0), x_of(moved.end.0));
    window.drag(pos2(right, y), pos2(right + 90.0, y), Modifiers::NONE);
    let wider = window.view().axis.visible();
    assert!(apart(wider.start.0, moved.start.0).abs() < 1.0, "the start stays");
    assert!((apart(wider.end.0, moved.end.0) - 90.0).abs() < 8.0, "the end follows the pointer");
    window.drag(pos2(left, y), pos2(left - 70.0, y), Modifiers::NONE);
    let widest = window.view().axis.visible();
    assert!((apart(wider.start.0, widest.start.0) - 70.0).abs() < 8.0, "the start follows the pointer");
    assert!(apart(widest.end.0, wider.end.0).abs() < 1.0, "the end stays");

    window.click_at(pos2(overview.min.x + 700.0, y));
    let centred = window.view().axis.visible();
    let centre = centred.start.0.midpoint(centred.end.0);
    assert!((f64::from(x_of(centre) - overview.min.x) - 700.0).abs() < 3.0, "a click brings its window there");
}

// ---- table

#[track_caller]
fn open_table(window: &mut Window) {
    window.key(Key::T);
    window.wait("the table", |window| window.has_rows());
}

impl Window {
    fn rows(&self) -> Vec<Node> {
        self.nodes().into_iter().filter(|node| node.role == Role::Row).collect()
    }

    fn has_rows(&self) -> bool {
        !self.rows().is_empty()
    }

    /// The start of a marker's row in the table.
    fn row_text(&self, marker: MarkerId) -> String {
        let profile = self.profile();
        let times = self.view().times_of(marker).expect("a marker");
        time_text(profile.displayed(times.start))
    }
}

#[test]
fn the_table_lists_and_sorts_markers() {
    let mut window = Window::example();
    let profile = window.profile();
    open_table(&mut window);
    window.get(Role::Table, "Marker table, 2744 rows");
    let by_start = ordered(&profile, None, None, Column::Start, false);
    assert_eq!(window.document().table.rows(), by_start);
    assert!(window.rows()[0].text.starts_with(&window.row_text(by_start[0])), "{}", window.rows()[0].text);
    assert!(window.rows().len() < 40, "only what is on screen is there");

    for (column, descending) in [(Column::Duration, true), (Column::Duration, false), (Column::Name, false)] {
        let button = window.starting(Role::Button, column.title());
        window.click_at(button.rect.center());
        let expected = ordered(&profile, None, None, column, descending);
        window.wait("the new order", |window| window.document().table.rows() == expected);
        assert!(window.rows()[0].text.starts_with(&window.row_text(expected[0])), "{}", window.rows()[0].text);
    }
    let lengths = ordered(&profile, None, None, Column::Duration, true);
    let length = |marker: &MarkerId| window.view().times_of(*marker).expect("a marker").len();
    assert!(lengths.iter().map(length).rev().is_sorted(), "the longest first");
}

#[test]
fn the_tables_selection_is_the_windows_selection() {
    let mut window = Window::example();
    // Zoomed in, so that it shows when the chart is moved to another marker than the table's.
    for _ in 0..8 {
        window.key(Key::W);
    }
    open_table(&mut window);
    let rows = window.document().table.rows().to_vec();
    let fourth = window.rows()[3].clone();
    window.click_at(fourth.rect.center());
    assert_eq!(window.selected(), rows[3]);
    let in_view = |window: &Window| {
        let (times, visible) =
            (window.view().times_of(window.selected()).expect("a marker"), window.view().axis.visible());
        times.start <= visible.end && times.end >= visible.start
    };
    assert!(in_view(&window), "the chart goes along");
    for (key, expected) in [(Key::ArrowDown, 4), (Key::ArrowDown, 5), (Key::ArrowUp, 4)] {
        window.key(key);
        assert_eq!(window.selected(), rows[expected], "{key:?}");
        assert!(in_view(&window), "{key:?}");
        let selected: Vec<Node> = window.rows().into_iter().filter(|row| row.selected).collect();
        assert_eq!(selected.len(), 1);
        assert!(selected[0].text.starts_with(&window.row_text(rows[expected])), "{}", selected[0].text);
        assert!(window.details_of(rows[expected]));
    }
    let scroll = window.view().scroll;
    window.key(Key::PageDown);
    let paged = rows.iter().position(|row| *row == window.selected()).expect("it is a row");
    assert!(paged > 6, "PageDown goes a page down: {paged}");
    assert!(window.rows().iter().any(|row| row.selected), "the table scrolls along");
    let item = window.document().item_of(window.selected()).expect("it is shown");
    let room = f64::from(window.chart().height());
    let shown = item.y >= window.view().scroll && item.y + item.height <= window.view().scroll + room;
    assert!(shown, "the chart shows the row, wherever it was scrolled to ({scroll} before)");

    let copied = window.copy();
    let last = copied.last().expect("something is copied");
    assert!(last.starts_with(&window.row_text(window.selected())), "{copied:?}");
    assert_eq!(last.matches('\t').count(), 4, "five columns: {last}");
    assert_eq!(copied.len(), 1, "the row and nothing else");
    let (_, place) = window.pointable()[0];
    window.click_at(place);
    let clicked = window.selected();
    assert!(window.rows().iter().filter(|row| row.selected).all(|row| row.text.starts_with(&window.row_text(clicked))));
}

#[test]
fn the_table_follows_search_and_range() {
    let mut window = Window::example();
    let profile = window.profile();
    open_table(&mut window);
    window.apply(Command::Search("styles".into()));
    window.wait_for_search("styles");
    let hits = found(&profile, "styles");
    let expected = ordered(&profile, Some(&hits), None, Column::Start, false);
    window.wait("the hits", |window| window.document().table.rows() == expected);
    window.get(Role::Table, &format!("Marker table, {} rows", hits.total()));
    window.apply(Command::Search("no marker says this".into()));
    window.wait_for_search("no marker says this");
    window.wait("an empty table", |window| window.says("No marker matches."));
    window.apply(Command::Search(String::new()));
    window.wait_for_search("");
    let all = profile.meta.range;
    let range = TimeRange::new(all.start, all.start + flowline::profile::Ns(all.len() / 7));
    window.apply(Command::SelectRange(Some(range)));
    let expected = ordered(&profile, None, Some(range), Column::Start, false);
    assert!(expected.len() < profile.marker_count() / 2);
    window.wait("the range", |window| window.document().table.rows() == expected);
}

// ---- everything around the chart

#[test]
fn the_chart_says_range_and_selection() {
    let mut window = Window::example();
    let profile = window.profile();
    let visible = window.view().axis.visible();
    let range = format!(
        "Timeline from {} to {}",
        time_text(profile.displayed(visible.start)),
        time_text(profile.displayed(visible.end))
    );
    window.get(Role::GraphicsDocument, &format!("{range}. No marker selected"));
    let (marker, _) = window.telling();
    window.apply(Command::Select(Some(marker)));
    let chart = window.starting(Role::GraphicsDocument, &range);
    let card = window.card(marker);
    assert!(chart.text.contains(&format!("Selected: {}", card.heading)), "{}", chart.text);
    for (label, value) in &card.lines {
        assert!(chart.text.contains(&format!("{label}: {}", value.replace('\n', "; "))), "{}", chart.text);
    }
    window.key(Key::W);
    assert!(!window.nodes().iter().any(|node| node.role == Role::GraphicsDocument && node.text.starts_with(&range)));
}

#[test]
fn warnings_are_counted_and_explained() {
    let mut text = Vec::new();
    let packed = include_bytes!("../fixtures/example.json.gz");
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut text).expect("gzip");
    text.truncate(text.len() / 2);
    let profile = import::read(text, &Progress::default()).expect("half a recording is one").profile;
    let warnings = profile.warnings.list();
    assert!(!warnings.is_empty());
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    let document = document(Arc::clone(&index), Path::new("cut.json"));
    let mut window = Window::showing(document, KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    let badge = format!("⚠ {} note{}", warnings.len(), if warnings.len() == 1 { "" } else { "s" });
    window.press(&badge);
    for warning in &warnings {
        assert!(window.says(warning.kind.explain()) && window.says(&warning.first), "{warning:?}");
    }
    window.key(Key::Escape);
    assert!(!window.says(warnings[0].kind.explain()));
    assert!(!Window::example().says("⚠"), "a sound recording has no badge");
}

#[test]
fn loading_shows_progress_and_can_be_cancelled() {
    let mut window = Window::with(Shell::new(KeyMap::Flowline, Theme::Dark), vec2(1000.0, 700.0), 1.0);
    window.settle();
    assert!(window.says("Drop a recording here"));
    let progress = |part: Option<f32>, amount: &str| Loading {
        name: "big.json".into(),
        phase: "Reading",
        part,
        amount: amount.into(),
    };
    window.shell().loading = Some(progress(Some(0.25), "25 of 100 MB"));
    window.harness.run_steps(4);
    for what in ["Loading big.json", "Reading 25 of 100 MB"] {
        assert!(window.says(what), "{what}: {:#?}", window.texts());
    }
    assert!(!window.says("Drop a recording here"));
    assert!(window.nodes().iter().any(|node| node.role == Role::ProgressIndicator));
    window.shell().loading = Some(progress(None, "26 MB"));
    window.harness.run_steps(4);
    assert!(window.says("Reading 26 MB"));
    let cancel = window.get(Role::Button, "Cancel").rect.center();
    window.event(Event::PointerMoved(cancel));
    window.button(cancel, PointerButton::Primary, true, Modifiers::NONE);
    window.button(cancel, PointerButton::Primary, false, Modifiers::NONE);
    window.harness.run_steps(4);
    assert_eq!(window.harness.state().requests, [Request::CancelLoading]);
}

#[test]
fn errors_are_shown_and_leave_the_open_recording_alone() {
    let mut window = Window::with(Shell::new(KeyMap::Flowline, Theme::Dark), vec2(1000.0, 700.0), 1.0);
    window.shell().error = Some("broken.json: this is a PNG picture".into());
    window.settle();
    assert!(window.says("This file cannot be shown") && window.says("broken.json: this is a PNG picture"));
    window.press("Open a file…");
    assert!(window.says("Open a recording"));

    let mut window = Window::example();
    window.shell().error = Some("broken.json: this is a PNG picture".into());
    window.settle();
    assert!(window.says("broken.json: this is a PNG picture") && !window.headings().is_empty());
    window.key(Key::Escape);
    assert!(!window.says("broken.json"), "Escape closes it");
}

/// A folder of a test's own, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ui-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path.canonicalize().expect("a folder"))
    }

    fn file(&self, name: &str) -> PathBuf {
        std::fs::write(self.0.join(name), "{}").expect("a file");
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left of a failed test does no harm.
        let _left = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_are_chosen_by_click_or_by_path() {
    let folder = Folder::new("chooser");
    let open = folder.file("open.json");
    let (next, inner) = (folder.file("next.json.gz"), folder.0.join("inner"));
    std::fs::create_dir_all(&inner).expect("a folder");
    folder.file("inner/deep.json");
    folder.file("notes.txt");
    let mut window = Window::showing(document(example(), &open), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    let choose = |window: &mut Window| {
        window.harness.state_mut().requests.clear();
        window.chord(Modifiers::CTRL | Modifiers::COMMAND, Key::O);
        assert!(window.says("Open a recording"));
    };
    choose(&mut window);
    for listed in ["open.json   2B", "next.json.gz   2B", "  inner", "  parent folder"] {
        assert!(window.says(listed), "{listed}: {:#?}", window.texts());
    }
    assert!(!window.says("notes.txt"), "what is no recording is not listed");
    window.key(Key::Escape);
    assert!(!window.says("Open a recording"));
    assert!(window.harness.state().requests.is_empty());

    choose(&mut window);
    let (axis, arrangement) = (window.view().axis, window.view().arrangement);
    window.type_text("next.json.gz");
    window.key(Key::Enter);
    assert_eq!(window.harness.state().requests, [Request::Open(next.clone())], "typed after the folder's path");
    assert!(!window.says("Open a recording"));
    assert_eq!((window.view().axis, window.view().arrangement), (axis, arrangement), "typing did nothing else");

    choose(&mut window);
    window.type_text("inner");
    window.key(Key::Enter);
    assert!(window.harness.state().requests.is_empty() && window.says("deep.json   2B"), "a folder is entered");
    let deep = window.nodes().into_iter().find(|node| node.text.contains("deep.json   2B")).expect("listed");
    window.click_at(deep.rect.center());
    assert_eq!(window.harness.state().requests, [Request::Open(inner.join("deep.json"))]);
}

#[test]
fn a_recording_without_markers_is_shown() {
    for rows in [vec![], vec![instant("Only", 1.0)]] {
        let text = text_of(&Recording::of(rows).raw());
        let profile = import::read(text.into_bytes(), &Progress::default()).expect("a recording").profile;
        let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
        let document = document(index, Path::new("small.json"));
        let mut window = Window::showing(document, KeyMap::Flowline, vec2(1000.0, 700.0), 1.0);
        for key in [
            Key::T,
            Key::W,
            Key::D,
            Key::F,
            Key::ArrowRight,
            Key::ArrowDown,
            Key::Enter,
            Key::Backspace,
            Key::L,
            Key::Num0,
        ] {
            window.key(key);
        }
        assert!(window.says("Timeline from"));
    }
}
