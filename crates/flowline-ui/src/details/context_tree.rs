//! The section with the surroundings of the selected marker: the slices around it, those inside it, and the events that
//! caused it or that it caused.

use egui::{Id, Ui};

use super::grid;
use super::presentation;
use super::section::{self, CollapsedSections, Section};
use crate::widgets::grouped;
use crate::widgets::table::counted;
use crate::widgets::tree::{self, ExpansionState, PAGE, RowAction, RowStyle, TreeIdentity, TreeRow};
use flowline_format::format_duration_ns;
use flowline_index::Index;
use flowline_index::messages::message_peer;
use flowline_index::nesting::{Contents, NameGroup};
use flowline_index::references::ReferenceTarget;
use flowline_profile::text::LabelKind;
use flowline_profile::{DisplayClock, LocalMarker, MarkerId, ThreadId, TrackKind};
use flowline_scene::Palette;
use flowline_session::duration_text;
use flowline_session::{FlowCards, MAX_COUNTED_CHILDREN, Session, SliceDetails, percent_text, place_text};
use flowline_view::{Command, FlowCommand, TrackRef};

/// Number of ancestors and groups shown initially.
const FIRST_ROWS: usize = 40;

/// Target of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum ContextTarget {
    /// None; the row is a heading.
    #[default]
    Nothing,
    /// A marker to select.
    Slice(MarkerId),
    /// The row that shows more entries of a list.
    More(Id),
}

const SLICE_MENU: &[&str] = &["Copy name", "Zoom to slice"];

/// Id of the tree's widget.
pub(crate) fn context_id() -> Id {
    Id::unique("context tree")
}

/// Inputs of the rows: the revisions of slice and expansion, and the numbers of causes and effects.
type RowsKey = (u64, u64, [usize; 4]);

/// State of the section.
#[derive(Default)]
pub struct ContextSection {
    marker: Option<MarkerId>,
    expansion: ExpansionState,
    rows: (Vec<TreeRow<ContextTarget>>, Option<RowsKey>),
}

/// Builds the rows.
struct ContextBuilder<'a> {
    index: &'a Index,
    clock: DisplayClock,
    details: &'a SliceDetails,
    cards: &'a FlowCards,
    expansion: &'a ExpansionState,
    thread: ThreadId,
    marker: LocalMarker,
    rows: Vec<TreeRow<ContextTarget>>,
}

impl ContextSection {
    /// Shows the section, unless it is empty; returns the user's commands.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        session: &Session,
        collapsed: &mut CollapsedSections,
        palette: &Palette,
    ) -> Vec<Command> {
        let mut commands = Vec::new();
        let (details, cards) = (&session.slice, session.flow_cards());
        let Some((id, thread, marker)) = details.marker else { return commands };
        if self.marker.replace(id) != Some(id) {
            self.expansion.reset_pages();
        }
        let effects = [
            usize::from(cards.parent.is_some()),
            cards.children.0,
            usize::from(cards.initiator.is_some()),
            cards.all_initiated,
        ];
        let key = Some((details.revision(), self.expansion.revision(), effects));
        if self.rows.1 != key {
            let mut builder = ContextBuilder {
                index: &session.index,
                clock: session.view.clock(),
                details,
                cards,
                expansion: &self.expansion,
                thread,
                marker,
                rows: Vec::new(),
            };
            builder.all();
            self.rows = (builder.rows, key);
        }
        let has_peer = message_peer(session.index.profile(), id).is_some() || presentation::has_link(session, id);
        if self.rows.0.is_empty() && session.marker_links().is_empty() && !has_peer {
            return commands;
        }
        let right = summary(session, (id, thread, marker));
        section::show(ui, (Section::Context, &right), collapsed, palette, |ui| {
            links(ui, session, id, palette, &mut commands);
            let rows = &self.rows.0;
            let label = "Context: callers, contents, causes; arrow keys expand and collapse, Enter selects";
            let done = tree::show(ui, TreeIdentity { id: context_id(), label }, &mut self.expansion, rows, palette);
            let Some((row, action)) = done.and_then(|(row, action)| Some((rows.get(row)?, action))) else { return };
            match (&row.target, action) {
                (ContextTarget::Slice(marker), RowAction::Press) => commands.push(Command::Reveal(*marker)),
                (ContextTarget::Slice(marker), RowAction::Menu(1)) => commands.push(Command::ZoomToMarker(*marker)),
                (ContextTarget::More(list), RowAction::Press) => self.expansion.show_more(*list),
                (_, RowAction::Menu(0)) => ui.copy_text(row.name.clone()),
                _ => {}
            }
        });
        commands
    }
}

/// The text at the right of the heading: the number of slices around the marker, else of those inside it.
fn summary(session: &Session, (_, id, marker): (MarkerId, ThreadId, LocalMarker)) -> String {
    let (details, thread) = (&session.slice, session.index.profile().thread(id));
    if !details.ancestors.is_empty() {
        let is_slice = flowline_index::nesting::is_nested(thread, marker);
        let relation = match thread.kind {
            TrackKind::Async => "part of",
            _ if is_slice && !thread.markers.is_instant(marker) => "inside",
            _ => "during",
        };
        return format!("{relation} {}", grouped(details.ancestors.len()));
    }
    match &details.contents {
        Some(contents) if contents.children > 0 => format!("contains {}", grouped(contents.children)),
        _ => String::new(),
    }
}

/// Links to threads and flows that the payload names, and to the other end of a message.
fn links(ui: &mut Ui, session: &Session, marker: MarkerId, palette: &Palette, commands: &mut Vec<Command>) {
    if let Some(side) = message_peer(session.index.profile(), marker) {
        let (key, name) = match side.is_sender {
            true => ("Sent by", "Go to the sender"),
            false => ("Received by", "Go to the receiver"),
        };
        let place = place_text(session.index.profile(), side.thread);
        if grid::link(ui, key, (&place, name), palette).on_hover_text("The other end of this message").clicked() {
            commands.push(Command::Reveal(side.marker));
        }
    }
    commands.extend(presentation::show(ui, session, marker, palette));
    for link in session.marker_links() {
        let response = grid::link(ui, &link.relation, (&link.title, &link.title), palette);
        if response.on_hover_text(&link.place).clicked() {
            commands.push(match link.target {
                ReferenceTarget::Thread(thread) => Command::RevealTrack(TrackRef::Thread(thread)),
                ReferenceTarget::Flow(flow) => Command::Flow(FlowCommand::Enter(vec![flow])),
            });
        }
    }
}

impl ContextBuilder<'_> {
    /// A number of slices or markers, whichever term the recording's format uses.
    fn slices(&self, count: usize) -> String {
        let is_event = self.index.profile().source.holds_events();
        counted(count, if is_event { "slice" } else { "marker" })
    }

    fn all(&mut self) {
        self.ancestors();
        self.contents();
        self.causes();
        let count = self.rows.iter().filter(|row| row.level == 1).count();
        let sections = self.rows.iter_mut().filter(|row| row.level == 1);
        sections.enumerate().for_each(|(at, row)| row.place = (at, count));
    }

    /// Adds a heading; returns true if it is expanded.
    fn section(&mut self, id: Id, name: &str, value: String, open: Option<bool>) -> bool {
        let open = open.map(|default| self.expansion.is_open(id, default));
        let style = RowStyle::Heading;
        self.rows.push(TreeRow {
            id: Some(id),
            level: 1,
            open,
            name: name.to_owned(),
            value,
            style,
            ..TreeRow::default()
        });
        open == Some(true)
    }

    /// Adds a row that shows more of a list, if only `shown` of `count` entries are shown.
    fn more(&mut self, list: Id, level: usize, (shown, count): (usize, usize)) {
        if shown < count {
            let left = count - shown;
            self.rows.push(TreeRow {
                id: Some(list.with("more")),
                level,
                place: (shown, count),
                name: format!("Show {} more", grouped(left.min(PAGE))),
                value: if left > PAGE { format!("of {}", grouped(left)) } else { String::new() },
                style: RowStyle::More,
                target: ContextTarget::More(list),
                ..TreeRow::default()
            });
        }
    }

    /// Number of visible entries of a list: few initially, then one page more at a time.
    fn shown(&self, list: Id, count: usize) -> usize {
        (self.expansion.shown(list) - PAGE + FIRST_ROWS).min(count)
    }

    fn color(&self, marker: LocalMarker) -> Option<u8> {
        let marker = self.index.profile().thread(self.thread).global(marker);
        Some(self.index.source().styles.get(marker).color())
    }

    fn slice(&self, id: Id, level: usize, marker: LocalMarker, place: (usize, usize)) -> TreeRow<ContextTarget> {
        let profile = self.index.profile();
        TreeRow {
            id: Some(id),
            level,
            place,
            name: profile.marker_label(LabelKind::Tooltip, self.thread, marker, self.clock),
            tail: duration_text(profile, self.thread, marker),
            style: RowStyle::Target,
            color: self.color(marker),
            menu: SLICE_MENU,
            target: ContextTarget::Slice(profile.thread(self.thread).global(marker)),
            ..TreeRow::default()
        }
    }

    /// The slices around the marker, outermost first. Of many, the innermost are shown.
    fn ancestors(&mut self) {
        let ancestors = &self.details.ancestors;
        let id = context_id().with("ancestors");
        let shown = self.shown(id, ancestors.len());
        self.more(id, 1, (shown, ancestors.len()));
        for (at, ancestor) in ancestors.iter().take(shown).rev().enumerate() {
            self.rows.push(self.slice(id.with(at), at + 1, *ancestor, (at, shown)));
        }
    }

    fn contents(&mut self) {
        let id = context_id().with("contents");
        let thread = self.index.profile().thread(self.thread);
        if self.details.is_counting() && flowline_index::nesting::is_nested(thread, self.marker) {
            self.section(id, "Contains", "counting…".to_owned(), None);
        }
        let Some(contents) = self.details.contents.as_ref().filter(|contents| contents.children > 0) else { return };
        let Contents { children, descendants, groups, .. } = contents;
        let deeper = match descendants - children {
            0 => String::new(),
            _ => format!(", {} in total", grouped(*descendants)),
        };
        if self.section(id, "Contains", self.slices(*children) + &deeper, Some(true)) {
            let shown = self.shown(id, groups.len());
            for (at, group) in groups.iter().take(shown).enumerate() {
                self.group(id, group, (at, groups.len()));
            }
            self.more(id, 2, (shown, groups.len()));
        }
    }

    fn group(&mut self, contents: Id, group: &NameGroup, place: (usize, usize)) {
        let profile = self.index.profile();
        let markers = &profile.thread(self.thread).markers;
        let length = markers.end(self.marker) - markers.start(self.marker);
        let name = profile.strings.get(group.name);
        let id = contents.with(name);
        // Instants take no share of the time.
        let part = if group.total.0 > 0 { percent_text(group.total.0, length.0) } else { String::new() };
        let first = group.first.first().copied();
        if let (1, Some(only)) = (group.count, first) {
            self.rows.push(TreeRow { value: part, ..self.slice(id, 2, only, place) });
            return;
        }
        let open = self.expansion.is_open(id, false);
        self.rows.push(TreeRow {
            id: Some(id),
            level: 2,
            place,
            open: Some(open),
            name: name.to_owned(),
            value: match part.as_str() {
                "" => format!("{} times", grouped(group.count)),
                part => format!("{} times, {part}", grouped(group.count)),
            },
            tail: if part.is_empty() { "instants".to_owned() } else { format_duration_ns(group.total.0) },
            style: RowStyle::Target,
            color: first.and_then(|first| self.color(first)),
            menu: &SLICE_MENU[..1],
            ..TreeRow::default()
        });
        if !open {
            return;
        }
        let shown = self.shown(id, group.first.len());
        for (at, child) in group.first.iter().take(shown).enumerate() {
            let value = self.clock.position(markers.start(*child));
            self.rows.push(TreeRow { value, ..self.slice(id.with(at), 3, *child, (at, group.count)) });
        }
        self.more(id, 3, (shown, group.first.len()));
        if shown == group.first.len() && shown < group.count {
            let name = format!("and {} more", grouped(group.count - shown));
            self.rows.push(TreeRow { id: Some(id.with("rest")), level: 3, name, ..TreeRow::default() });
        }
    }

    /// A list of markers below a heading, of which the first ones are known.
    fn listed(&mut self, id: Id, (name, value): (&str, String), known: &[(MarkerId, String)], count: usize) {
        if !self.section(id, name, value, Some(false)) {
            return;
        }
        for (at, (marker, label)) in known.iter().enumerate() {
            self.rows.push(self.link(id.with(at), (2, label), *marker, (at, count)));
        }
        if known.len() < count {
            let name = format!("and {} more", grouped(count - known.len()));
            self.rows.push(TreeRow { id: Some(id.with("rest")), level: 2, name, ..TreeRow::default() });
        }
    }

    /// A row that selects a marker of any thread.
    fn link(
        &self,
        id: Id,
        (level, name): (usize, &str),
        marker: MarkerId,
        place: (usize, usize),
    ) -> TreeRow<ContextTarget> {
        TreeRow {
            id: Some(id),
            level,
            place,
            name: name.to_owned(),
            style: RowStyle::Target,
            color: Some(self.index.source().styles.get(marker).color()),
            menu: SLICE_MENU,
            target: ContextTarget::Slice(marker),
            ..TreeRow::default()
        }
    }

    /// The event that caused the marker, and those that it caused.
    fn causes(&mut self) {
        let (cards, id) = (self.cards, context_id());
        if let Some((initiator, label)) = &cards.initiator {
            self.rows.push(self.link(id.with("initiator"), (1, &format!("Initiated by {label}")), *initiator, (0, 1)));
        }
        match cards.initiated.as_slice() {
            [] => {}
            [(event, label)] if cards.all_initiated == 1 => {
                self.rows.push(self.link(id.with("initiated"), (1, &format!("Initiated {label}")), *event, (0, 1)));
            }
            known => {
                let text = format!("Initiated {}", counted(cards.all_initiated, "event"));
                self.listed(id.with("initiated"), (&text, String::new()), known, cards.all_initiated);
            }
        }
        if let Some((parent, label)) = &cards.parent {
            // Only the parent of a flow's first marker caused the flow.
            let begins = cards.flows.iter().any(|flow| flow.position == 0);
            // The slices around the marker already contain it.
            let is_ancestor = self.details.ancestors.iter().any(|own| self.global(*own) == *parent);
            if begins || !is_ancestor {
                let text = format!("{} {label}", if begins { "Caused by" } else { "Inside" });
                self.rows.push(self.link(id.with("parent"), (1, &text), *parent, (0, 1)));
            }
        }
        let (markers, flows) = cards.children;
        match cards.led_to.as_slice() {
            [] => {}
            [(child, label)] if markers == 1 => {
                self.rows.push(self.link(id.with("led to"), (1, &format!("Led to {label}")), *child, (0, 1)));
            }
            known => {
                let least = if markers > MAX_COUNTED_CHILDREN { "at least " } else { "" };
                let text = format!("Led to {} in {least}{}", counted(markers, "marker"), counted(flows, "flow"));
                self.listed(id.with("led to"), (&text, String::new()), known, markers);
            }
        }
    }

    fn global(&self, marker: LocalMarker) -> MarkerId {
        self.index.profile().thread(self.thread).global(marker)
    }
}
