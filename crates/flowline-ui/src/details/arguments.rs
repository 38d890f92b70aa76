//! The section with the payload of the selected marker: its fields, nested values as trees, and the other members of its
//! event.

use egui::{Id, Ui};

use super::grid;
use super::payload_tree::{self, MENU, PayloadRowBuilder, PayloadTarget};
use super::section::{self, CollapsedSections, Section};
use crate::widgets::counted;
use crate::widgets::tree::{self, ExpansionState, RowAction, RowStyle, TreeIdentity, TreeRow};
use flowline_index::Index;
use flowline_profile::text::Format;
use flowline_profile::{DisplayClock, LocalMarker, MarkerId, Profile, ThreadId, Value};
use flowline_scene::Palette;
use flowline_session::{MarkerCard, Session};

/// Maximum bytes of the value of a line that is not unfolded.
const MAX_LINE_BYTES: usize = 600;
/// Unfolded values with more bytes than this may not fit their lines.
const UNFOLDED_BYTES: usize = 200;

/// Target of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum ArgumentTarget {
    /// None; the row is a heading.
    #[default]
    Nothing,
    /// A line, by number.
    Line(usize),
    /// The rest of the value of a line.
    Rest(Id),
    /// A part of the payload.
    Payload(PayloadTarget),
    /// A member of the event.
    Event(PayloadTarget),
}

/// Inputs of the rows: the marker, the number of lines of its track, and the revisions of slice and expansion.
type RowsKey = (MarkerId, usize, u64, u64);

/// The payload of the selected marker.
#[derive(Default)]
pub struct Arguments {
    /// The marker, and the number of lines of its track.
    marker: Option<(MarkerId, usize)>,
    /// Lines of plain values: label and value.
    lines: Vec<(String, String)>,
    /// The values that are shown as a tree.
    value: Option<Value>,
    /// Name of the payload in paths.
    name: &'static str,
    expansion: ExpansionState,
    rows: (Vec<TreeRow<ArgumentTarget>>, Option<RowsKey>),
}

/// Id of the widget.
pub(crate) fn arguments_id() -> Id {
    Id::unique("arguments tree")
}

impl Arguments {
    /// Updates the contents for the selected marker. `track_lines` are lines that the marker's track adds.
    fn follow(&mut self, index: &Index, marker: MarkerId, clock: DisplayClock, track_lines: &[(String, String)]) {
        if self.marker.replace((marker, track_lines.len())) == Some((marker, track_lines.len())) {
            return;
        }
        let profile = index.profile();
        let Some((thread, local)) = profile.locate(marker) else { return };
        self.name = profile.source.member().unwrap_or("data");
        let (value, is_complete) = nested(profile, thread, local);
        self.lines = track_lines.to_vec();
        if !is_complete {
            self.lines.extend(plain_lines(profile, (thread, local), clock, value.as_ref()));
        }
        self.value = value;
        self.expansion.reset_pages();
        self.rows.1 = None;
    }

    /// Shows the section, unless it is empty.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        (session, marker, card): (&Session, MarkerId, &MarkerCard),
        collapsed: &mut CollapsedSections,
        palette: &Palette,
    ) {
        let track_lines = track_lines(session, card);
        self.follow(&session.index, marker, session.view.clock(), &track_lines);
        let (slice, count) = (&session.slice, track_lines.len());
        let key = Some((marker, count, slice.revision(), self.expansion.revision()));
        if self.rows.1 != key {
            self.rows = (self.build(&slice.event), key);
        }
        if self.rows.0.is_empty() && card.description.is_none() {
            return;
        }
        let copy = (!self.rows.0.is_empty()).then_some(("Copy all", "Copy all arguments"));
        let pressed = section::show_with(ui, (Section::Arguments, "", copy), collapsed, palette, |ui| {
            let rows = &self.rows.0;
            let label = "Arguments, arrow keys expand and collapse, Ctrl+C copies the value, Ctrl+Shift+C its path";
            let identity = TreeIdentity { id: arguments_id(), label };
            let done = tree::show(ui, identity, &mut self.expansion, rows, palette);
            if let Some((target, action)) = done.and_then(|(row, action)| Some((rows.get(row)?.target.clone(), action)))
            {
                self.apply(ui, &slice.event, &target, action);
            }
            if let Some(description) = &card.description {
                grid::note(ui, description, palette);
            }
        });
        if pressed {
            ui.copy_text(self.copied());
        }
    }

    /// The text of "Copy all": the payload as JSON if it is shown as a tree, otherwise the lines.
    fn copied(&self) -> String {
        match &self.value {
            Some(value) if self.lines.is_empty() => payload_tree::json(value),
            value => {
                let lines = self.lines.iter().map(|(label, value)| format!("{label}: {value}\n"));
                let json = value.as_ref().map(|value| payload_tree::json(value) + "\n");
                lines.chain(json).collect()
            }
        }
    }

    fn apply(&mut self, ui: &Ui, event: &Value, target: &ArgumentTarget, action: RowAction) {
        match (target, action) {
            (ArgumentTarget::Line(number), RowAction::Menu(entry)) => {
                let Some((label, value)) = self.lines.get(*number) else { return };
                ui.copy_text(if entry == 0 { value.clone() } else { label.clone() });
            }
            (ArgumentTarget::Rest(node), RowAction::Press) => self.expansion.show_more(*node),
            (ArgumentTarget::Payload(place), action) => {
                if let Some(value) = &self.value {
                    payload_tree::apply_action(ui, &mut self.expansion, (self.name, value), place, action);
                }
            }
            (ArgumentTarget::Event(place), action) => {
                payload_tree::apply_action(ui, &mut self.expansion, ("", event), place, action);
            }
            _ => {}
        }
    }

    fn build(&self, event: &Value) -> Vec<TreeRow<ArgumentTarget>> {
        let mut rows = Vec::new();
        for (number, (label, value)) in self.lines.iter().enumerate() {
            self.add_line(&mut rows, number, label, value);
        }
        if let Some(value) = &self.value {
            let expansion = &self.expansion;
            let is_told = self.marker.is_some_and(|(_, track_lines)| track_lines > 0);
            let mut builder =
                PayloadRowBuilder { expansion, rows, starts_closed: is_told, wrap: ArgumentTarget::Payload };
            let (id, before) = (arguments_id(), builder.rows.len());
            builder.add(value, id, &[], 1);
            if builder.rows.len() == before {
                // The payload is neither an object nor a list.
                builder.add_value((self.name.to_owned(), value), id.with("value"), Vec::new(), (1, (0, 1)));
            }
            rows = builder.rows;
        }
        self.add_event(&mut rows, event);
        let count = rows.iter().filter(|row| row.level == 1).count();
        rows.iter_mut().filter(|row| row.level == 1).enumerate().for_each(|(at, row)| row.place = (at, count));
        rows
    }

    fn add_line(&self, rows: &mut Vec<TreeRow<ArgumentTarget>>, number: usize, label: &str, value: &str) {
        // Several lines may have the same label.
        let id = arguments_id().with(("line", label, number));
        let lines = self.expansion.lines(id);
        let end = if lines == usize::MAX { value.len() } else { value.floor_char_boundary(MAX_LINE_BYTES) };
        rows.push(TreeRow {
            id: Some(id),
            level: 1,
            name: label.to_owned(),
            value: value[..end].to_owned(),
            lines,
            menu: &MENU,
            target: ArgumentTarget::Line(number),
            ..TreeRow::default()
        });
        if lines > 1 && lines < usize::MAX && value.len() > UNFOLDED_BYTES {
            let rest = ExpansionState::rest_of(id);
            rows.push(TreeRow {
                id: Some(rest.with("more")),
                level: 1,
                name: "Show all".to_owned(),
                style: RowStyle::More,
                target: ArgumentTarget::Rest(rest),
                ..TreeRow::default()
            });
        }
    }

    fn add_event(&self, rows: &mut Vec<TreeRow<ArgumentTarget>>, event: &Value) {
        let Value::Object(members) = event else { return };
        if members.is_empty() {
            return;
        }
        let id = arguments_id().with("event");
        let open = self.expansion.is_open(id, false);
        rows.push(TreeRow {
            id: Some(id),
            level: 1,
            open: Some(open),
            name: "Rest of the event".to_owned(),
            tail: counted(members.len(), "field"),
            ..TreeRow::default()
        });
        if open {
            let taken = std::mem::take(rows);
            let mut builder = PayloadRowBuilder {
                expansion: &self.expansion,
                rows: taken,
                starts_closed: false,
                wrap: ArgumentTarget::Event,
            };
            builder.add(event, id, &[], 2);
            *rows = builder.rows;
        }
    }
}

/// The lines that the marker's track adds, without the phases of a network request, which belong to its timing, and
/// without its size, which is a key fact.
fn track_lines(session: &Session, card: &MarkerCard) -> Vec<(String, String)> {
    let summary = session.selected_summary();
    let timing = summary.map(|summary| summary.timing.as_slice()).unwrap_or_default();
    let facts = summary.map(|summary| summary.facts.as_slice()).unwrap_or_default();
    let is_fact = |line: &(String, String)| facts.iter().any(|fact| !fact.exact.is_empty() && fact.exact == line.1);
    let own = card.lines.get(card.own_facts..card.facts).unwrap_or_default();
    own.iter().filter(|line| !timing.contains(line) && !is_fact(line) && line.0 != "Failed").cloned().collect()
}

/// The fields that are not part of the tree. The stack has a section of its own.
fn plain_lines(
    profile: &Profile,
    (thread, local): (ThreadId, LocalMarker),
    clock: DisplayClock,
    tree: Option<&Value>,
) -> Vec<(String, String)> {
    let schema = profile.schema_of(thread, local);
    let is_stack = |key: &str| {
        let field = schema.and_then(|schema| schema.field(key));
        field.is_some_and(|field| field.format == Format::Stack)
    };
    let lines = profile.field_lines(thread, local, clock).into_iter();
    let lines = lines.filter(|line| !is_stack(&line.key) && tree.is_none_or(|tree| tree.get(&line.key).is_none()));
    lines.map(|line| (line.label, line.value)).collect()
}

/// The part of a payload that is shown as a tree, and true if it is all of it. With a schema, which lists the fields to
/// show, the tree contains only nested values, because lines are better for all others.
fn nested(profile: &Profile, thread: ThreadId, marker: LocalMarker) -> (Option<Value>, bool) {
    let is_event = profile.source.holds_events();
    let schema = profile.schema_of(thread, marker);
    if is_event && schema.is_none() {
        return match profile.payload(thread, marker) {
            Value::Null => (None, true),
            value if value.is_nested() && value.child_count() == 0 => (None, true),
            value => (Some(value), true),
        };
    }
    let Value::Object(mut members) = profile.payload_resolved(thread, marker) else { return (None, false) };
    members.retain(|(key, value)| !value.is_null() && !profile.is_internal(key));
    members.retain(|(key, value)| match value {
        Value::Object(_) => true,
        Value::List(items) => {
            let is_line = |format: &Format| matches!(format, Format::List | Format::Table(_));
            let field = schema.and_then(|schema| schema.field(key));
            items.iter().any(Value::is_nested) && !field.is_some_and(|field| is_line(&field.format))
        }
        _ => false,
    });
    ((!members.is_empty()).then_some(Value::Object(members)), false)
}
