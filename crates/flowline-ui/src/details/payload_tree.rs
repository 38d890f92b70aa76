//! The rows of a value: a tree of members and items. Values and paths can be copied.

use std::collections::HashSet;
use std::fmt::Write as _;

use egui::{Id, Ui};

use crate::widgets::tree::{ExpansionState, PAGE, RowAction, RowStyle, TreeRow};
use flowline_profile::Value;

/// Maximum bytes of a value stored in a row, unless all of it is shown.
const MAX_VALUE_BYTES: usize = 600;
const MAX_WHOLE_BYTES: usize = 20_000;
/// Maximum bytes of a collapsed value's preview.
const MAX_FOLDED_BYTES: usize = 160;
/// Top-level values with more children than this are initially collapsed.
const MAX_OPEN_CHILDREN: usize = 50;
/// Deeper values with at most this many children, none of them nested, are initially expanded.
const MAX_OPEN_NESTED_CHILDREN: usize = 6;
/// Values whose preview has at most this many bytes are initially collapsed, because the preview is complete.
const INLINE_BYTES: usize = 32;

/// Unfolded values with more bytes than this may not fit their lines.
const UNFOLDED_BYTES: usize = 200;

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
    /// True if nested values start collapsed, because lines above them already state what they contain.
    pub(crate) starts_closed: bool,
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
                Value::Object(members) => {
                    (shortened(&members[at].0, MAX_VALUE_BYTES), &members[at].1, Some(members[at].0.as_str()))
                }
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
                name: format!("Show {} more", crate::widgets::grouped(left.min(PAGE))),
                value: if left > PAGE { format!("of {}", crate::widgets::grouped(left)) } else { String::new() },
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
            links: false,
            lines: 1,
            hover: String::new(),
            color: None,
            menu: &MENU,
            target: (self.wrap)(PayloadTarget::default()),
        }
    }

    pub(crate) fn add_value(
        &mut self,
        (name, value): (String, &Value),
        id: Id,
        path: Vec<usize>,
        (level, place): (usize, (usize, usize)),
    ) {
        let count = value.child_count();
        let opens = !self.starts_closed && is_open_at_first(value, path.len());
        let is_open = (count > 0).then(|| self.expansion.is_open(id, opens));
        let lines = if is_open.is_some() { 1 } else { self.expansion.lines(id) };
        let most = if lines == usize::MAX { MAX_WHOLE_BYTES } else { MAX_VALUE_BYTES };
        let (text, hover) = match value {
            Value::Object(_) | Value::List(_) => (counted(value), value.preview(MAX_FOLDED_BYTES)),
            _ => (scalar(value, most), String::new()),
        };
        let is_cut = lines > 1 && lines < usize::MAX && text.len() > UNFOLDED_BYTES;
        let target = (self.wrap)(PayloadTarget { path: path.clone(), more: None });
        self.rows.push(TreeRow {
            id: Some(id),
            level,
            place,
            open: is_open,
            name,
            value: text,
            lines,
            hover,
            target,
            ..self.empty()
        });
        if is_cut {
            let rest = ExpansionState::rest_of(id);
            self.rows.push(TreeRow {
                id: Some(rest.with("more")),
                level,
                place,
                name: "Show all".to_owned(),
                style: RowStyle::More,
                target: (self.wrap)(PayloadTarget { path: path.clone(), more: Some(rest) }),
                ..self.empty()
            });
        }
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

/// The number of children.
fn counted(value: &Value) -> String {
    crate::widgets::counted(value.child_count(), if matches!(value, Value::Object(_)) { "field" } else { "item" })
}

/// The beginning of a text, of at most `most` bytes.
fn shortened(text: &str, most: usize) -> String {
    let end = if text.len() <= most { text.len() } else { text.floor_char_boundary(most) };
    text[..end].to_owned()
}

/// A scalar as text. Strings that look like another type are quoted.
fn scalar(value: &Value, most: usize) -> String {
    let Value::String(text) = value else { return value.display_js() };
    let is_other = text.is_empty()
        || matches!(text.as_str(), "null" | "true" | "false")
        || text.trim() != text
        || (text.len() < 40 && text.parse::<f64>().is_ok());
    if is_other { format!("\"{}\"", shortened(text, most)) } else { value.preview(most) }
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

#[cfg(test)]
mod tests;
