//! A payload as a tree of members and items. Collapsed values show a one-line preview; values and paths can be copied.

use std::collections::HashSet;
use std::fmt::Write as _;

use egui::{Id, RichText, Ui};

use crate::widgets::tree::{self, ExpansionState, RowAction, RowStyle, TreeIdentity, TreeRow};
use flowline_index::Index;
use flowline_profile::text::Format;
use flowline_profile::{LocalMarker, MarkerId, Profile, ThreadId, Value};
use flowline_scene::Palette;

/// Maximum bytes of a value stored in a row.
const MAX_VALUE_BYTES: usize = 600;
/// Maximum bytes of a collapsed value's preview.
const MAX_FOLDED_BYTES: usize = 160;
/// Top-level values with more children than this are initially collapsed.
const MAX_OPEN_CHILDREN: usize = 50;
/// Deeper values with at most this many children, none of them nested, are initially expanded.
const MAX_OPEN_NESTED_CHILDREN: usize = 6;
/// Values whose preview has at most this many bytes are initially collapsed, because the preview is complete.
const INLINE_BYTES: usize = 32;

/// Context menu of a value.
pub(crate) const MENU: [&str; 2] = ["Copy value", "Copy path"];

/// The value that a row represents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PayloadTarget {
    /// Path from the outermost value, by child number.
    pub(crate) path: Vec<usize>,
    /// For a "show more" row, the node whose children it shows.
    pub(crate) more: Option<Id>,
}

/// Builds the rows of a value's children.
pub(crate) struct PayloadRowBuilder<'a, T> {
    pub(crate) expansion: &'a ExpansionState,
    pub(crate) rows: Vec<TreeRow<T>>,
    /// Converts a target to the row type of the tree.
    pub(crate) wrap: fn(PayloadTarget) -> T,
}

impl<T> PayloadRowBuilder<'_, T> {
    /// Appends the visible children of a value at a level. The decoder bounds the depth.
    pub(crate) fn add(&mut self, value: &Value, id: Id, path: &[usize], level: usize) {
        let (count, shown) = (value.child_count(), self.expansion.shown(id));
        let mut keys: HashSet<&str> = HashSet::new();
        for at in 0..count.min(shown) {
            let (name, child, key) = match value {
                Value::Object(members) => (shortened(&members[at].0), &members[at].1, Some(members[at].0.as_str())),
                Value::List(items) => (at.to_string(), &items[at], None),
                _ => return,
            };
            // Ids derive from keys; for a repeated key, from its number.
            let child_id = match key.filter(|key| keys.insert(key)) {
                Some(key) => id.with(key),
                None => id.with(at),
            };
            let mut path = path.to_vec();
            path.push(at);
            self.add_value((name, child), child_id, path, (level, (at, count)));
        }
        if count > shown {
            let left = count - shown;
            self.rows.push(TreeRow {
                id: Some(id.with("more")),
                level,
                place: (shown, count),
                name: format!("Show {} more", crate::widgets::grouped(left.min(tree::PAGE))),
                value: if left > tree::PAGE { format!("of {}", crate::widgets::grouped(left)) } else { String::new() },
                style: RowStyle::More,
                target: (self.wrap)(PayloadTarget { path: path.to_vec(), more: Some(id) }),
                ..self.empty()
            });
        }
    }

    fn empty(&self) -> TreeRow<T> {
        TreeRow {
            id: None,
            level: 1,
            place: (0, 1),
            open: None,
            name: String::new(),
            value: String::new(),
            tail: String::new(),
            style: RowStyle::Field,
            hover: String::new(),
            color: None,
            menu: &MENU,
            target: (self.wrap)(PayloadTarget::default()),
        }
    }

    fn add_value(
        &mut self,
        (name, value): (String, &Value),
        id: Id,
        path: Vec<usize>,
        (level, place): (usize, (usize, usize)),
    ) {
        let count = value.child_count();
        let is_open = (count > 0).then(|| self.expansion.is_open(id, is_open_at_first(value, path.len())));
        let (text, tail) = match value {
            Value::Object(_) | Value::List(_) if is_open == Some(true) => (String::new(), counted(value)),
            Value::Object(_) | Value::List(_) => (value.preview(MAX_FOLDED_BYTES), counted(value)),
            _ => (scalar(value), String::new()),
        };
        let target = (self.wrap)(PayloadTarget { path: path.clone(), more: None });
        self.rows.push(TreeRow {
            id: Some(id),
            level,
            place,
            open: is_open,
            name,
            value: text,
            tail,
            target,
            ..self.empty()
        });
        if is_open == Some(true) {
            self.add(value, id, &path, level + 1);
        }
    }
}

fn is_open_at_first(value: &Value, depth: usize) -> bool {
    let is_flat = || match value {
        Value::Object(members) => members.iter().all(|(_, member)| !member.is_nested()),
        Value::List(items) => items.iter().all(|item| !item.is_nested()),
        _ => false,
    };
    let is_small = match depth {
        1 => value.child_count() <= MAX_OPEN_CHILDREN,
        2 | 3 => value.child_count() <= MAX_OPEN_NESTED_CHILDREN && is_flat(),
        _ => false,
    };
    is_small && value.preview(INLINE_BYTES).len() > INLINE_BYTES
}

/// The number of children, in the brackets of the value's type.
fn counted(value: &Value) -> String {
    let count = crate::widgets::grouped(value.child_count());
    if matches!(value, Value::Object(_)) { format!("{{{count}}}") } else { format!("[{count}]") }
}

/// The beginning of a text, of at most [`MAX_VALUE_BYTES`].
fn shortened(text: &str) -> String {
    let end = if text.len() <= MAX_VALUE_BYTES { text.len() } else { text.floor_char_boundary(MAX_VALUE_BYTES) };
    text[..end].to_owned()
}

/// A scalar as text. Strings that look like another type are quoted.
fn scalar(value: &Value) -> String {
    let Value::String(text) = value else { return value.display_js() };
    let is_other = text.is_empty()
        || matches!(text.as_str(), "null" | "true" | "false")
        || text.trim() != text
        || (text.len() < 40 && text.parse::<f64>().is_ok());
    if is_other { format!("\"{}\"", shortened(text)) } else { value.preview(MAX_VALUE_BYTES) }
}

/// The value at a path.
pub(crate) fn value_at<'a>(root: &'a Value, path: &[usize]) -> Option<&'a Value> {
    path.iter().try_fold(root, |value, at| match value {
        Value::Object(members) => members.get(*at).map(|(_, value)| value),
        Value::List(items) => items.get(*at),
        _ => None,
    })
}

/// A path in JavaScript notation: `args.data.frames[3]["odd key"]`.
pub(crate) fn path_text(name: &str, root: &Value, path: &[usize]) -> String {
    let mut text = name.to_owned();
    let mut value = Some(root);
    for at in path {
        match value {
            Some(Value::Object(members)) => {
                let Some((key, member)) = members.get(*at) else { break };
                let is_plain = key
                    .starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '$')
                    && key.chars().all(|char| char.is_ascii_alphanumeric() || char == '_' || char == '$');
                if is_plain && !text.is_empty() {
                    text += ".";
                }
                if is_plain {
                    text += key;
                } else {
                    text += "[";
                    flowline_json::write_json_string(&mut text, key);
                    text += "]";
                }
                value = Some(member);
            }
            Some(Value::List(items)) => {
                // Writing into a string cannot fail.
                let _written = write!(text, "[{at}]");
                value = items.get(*at);
            }
            _ => break,
        }
    }
    text
}

/// A value as JSON.
pub(crate) fn json(value: &Value) -> String {
    let mut text = String::new();
    value.to_json(&mut text);
    text
}

/// The part of the selected marker's payload that is shown as a tree.
#[derive(Default)]
pub struct PayloadTree {
    marker: Option<MarkerId>,
    value: Option<Value>,
    /// True if the tree shows the whole payload, so that the card does not need to.
    is_complete: bool,
    /// Name of the payload in paths.
    name: &'static str,
    expansion: ExpansionState,
    /// The rows, and the revision of the expansion state they were built for.
    rows: (Vec<TreeRow<PayloadTarget>>, Option<u64>),
}

/// Id of the tree's widget.
pub(crate) fn payload_id() -> Id {
    Id::unique("payload tree")
}

impl PayloadTree {
    /// Updates the tree for the selected marker.
    pub(crate) fn follow(&mut self, index: &Index, marker: MarkerId) {
        if self.marker == Some(marker) {
            return;
        }
        self.marker = Some(marker);
        let profile = index.profile();
        let shown = profile.locate(marker).map(|(thread, local)| shown(profile, thread, local));
        (self.value, self.is_complete) = shown.unwrap_or((None, false));
        self.name = profile.source.member().unwrap_or("data");
        self.expansion.reset_pages();
    }

    /// True if the tree shows the whole payload.
    pub(crate) const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Shows the tree, unless it is empty.
    pub(crate) fn show(&mut self, ui: &mut Ui, palette: &Palette) {
        let Some(value) = &self.value else { return };
        let title = match (self.name, self.is_complete) {
            ("args", _) => "ARGUMENTS",
            (_, true) => "PAYLOAD",
            (_, false) => "NESTED FIELDS",
        };
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            ui.label(RichText::new(title).small().strong().weak());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let button = egui::Button::new(RichText::new("Copy all").small()).small();
                if ui.add(button).on_hover_text("As JSON").clicked() {
                    ui.copy_text(json(value));
                }
            });
        });
        if self.rows.1 != Some(self.expansion.revision()) {
            self.rows = (payload_rows(self.name, value, &self.expansion), Some(self.expansion.revision()));
        }
        let rows = &self.rows.0;
        let label = "Payload tree, arrow keys expand and collapse, Ctrl+C copies the value, Ctrl+Shift+C its path";
        let done = tree::show(ui, TreeIdentity { id: payload_id(), label }, &mut self.expansion, rows, palette);
        let Some((place, action)) = done.and_then(|(row, action)| Some((&rows.get(row)?.target, action))) else {
            return;
        };
        apply_action(ui, &mut self.expansion, (self.name, value), place, action);
    }
}

/// The rows of a payload.
fn payload_rows(name: &str, value: &Value, expansion: &ExpansionState) -> Vec<TreeRow<PayloadTarget>> {
    let mut rows = PayloadRowBuilder { expansion, rows: Vec::new(), wrap: std::convert::identity };
    rows.add(value, payload_id(), &[], 1);
    if rows.rows.is_empty() {
        // The payload is neither an object nor a list.
        rows.add_value((name.to_owned(), value), payload_id().with("value"), Vec::new(), (1, (0, 1)));
    }
    rows.rows
}

/// Applies an action to a value's row.
pub(crate) fn apply_action(
    ui: &Ui,
    expansion: &mut ExpansionState,
    (name, root): (&str, &Value),
    place: &PayloadTarget,
    action: RowAction,
) {
    match action {
        RowAction::Press => place.more.into_iter().for_each(|node| expansion.show_more(node)),
        RowAction::Menu(0) => value_at(root, &place.path).into_iter().for_each(|value| ui.copy_text(json(value))),
        RowAction::Menu(_) => ui.copy_text(path_text(name, root, &place.path)),
    }
}

/// The part of a payload that is shown as a tree, and true if it is all of it. With a schema, which lists the fields to
/// show, the tree contains only nested values, because lines are better for all others.
fn shown(profile: &Profile, thread: ThreadId, marker: LocalMarker) -> (Option<Value>, bool) {
    let is_event = profile.source.holds_events();
    let schema = profile.schema_of(thread, marker);
    if is_event && schema.is_none() {
        return match profile.payload(thread, marker) {
            Value::Null => (None, false),
            value if value.is_nested() && value.child_count() == 0 => (None, false),
            value => (Some(value), true),
        };
    }
    let Value::Object(mut members) = profile.payload_resolved(thread, marker) else { return (None, false) };
    members.retain(|(key, value)| !value.is_null() && !profile.is_internal(key));
    let Some(schema) = schema else {
        let is_nested = members.iter().any(|(_, value)| value.is_nested());
        return (is_nested.then_some(Value::Object(members)), is_nested);
    };
    members.retain(|(key, value)| match value {
        Value::Object(_) => true,
        Value::List(items) => {
            let is_line = |format: &Format| matches!(format, Format::List | Format::Table(_));
            items.iter().any(Value::is_nested) && !schema.field(key).is_some_and(|field| is_line(&field.format))
        }
        _ => false,
    });
    ((!members.is_empty()).then_some(Value::Object(members)), false)
}

#[cfg(test)]
mod tests;
