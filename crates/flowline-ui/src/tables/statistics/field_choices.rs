//! The payload fields that the user can group by: those that occur in the scope, with their numbers of markers.

use std::sync::Arc;

use egui::{RichText, ScrollArea, Ui};

use super::statistics_result::subject;
use crate::widgets::grouped;
use flowline_index::Index;
use flowline_index::statistics::{FieldCount, Key, RangeRule, fields, near_fields};
use flowline_scene::ScopeKey;
use flowline_session::{Job, PoolTask, Session, Task, Wake};

/// Maximum number of offered fields.
const MOST: usize = 200;
/// Height of the list in points.
const HEIGHT: f32 = 180.0;

/// The fields of a scope, read when a menu first offers them.
pub(super) struct FieldChoices {
    task: Task<(ScopeKey, RangeRule), Vec<FieldCount>>,
    found: Vec<FieldCount>,
    /// True if a menu was open in this frame.
    is_wanted: bool,
}

impl FieldChoices {
    /// Creates an empty list; `wake` is called when the fields are known.
    pub(super) fn new(wake: Wake) -> Self {
        Self { task: Task::new(wake), found: Vec::new(), is_wanted: false }
    }

    /// Reads the fields of the scope if a menu offers them.
    pub(super) fn follow(&mut self, session: &Session, rule: RangeRule) {
        let key = (session.scope().key(), rule);
        if std::mem::take(&mut self.is_wanted) && !self.task.is_for(&key) {
            self.found.clear();
            let (index, scope) = (Arc::clone(&session.index), session.scope().clone());
            self.task.replace(key, move |running| {
                fields(&subject(&index, &scope, rule), &|| running.is_wanted()).unwrap_or_default()
            });
        }
    }

    /// The field that a typed text means: the one with this name, else the first listed one that contains the text.
    pub(super) fn named(&self, text: &str) -> Key {
        let text = text.trim();
        Key::Field(meant(&self.found, text).map_or_else(|| text.to_owned(), |field| field.path.clone()))
    }

    /// Lists the fields that contain a text; returns the key that the user chose.
    pub(super) fn show(&mut self, ui: &mut Ui, text: &str) -> Option<Key> {
        self.is_wanted = true;
        if self.task.is_running() {
            ui.label(RichText::new("Reading fields…").small().weak());
            return None;
        }
        let listed: Vec<&FieldCount> = match text.trim() {
            "" => self.found.iter().take(MOST).collect(),
            text => near_fields(&self.found, text),
        };
        let mut chosen = None;
        ScrollArea::vertical().max_height(HEIGHT).min_scrolled_height(HEIGHT).show(ui, |ui| {
            for field in listed {
                let name = if field.label.is_empty() { &field.path } else { &field.label };
                let button = ui.selectable_label(false, format!("{name}  {}", grouped_count(field.count)));
                if button.on_hover_text(&field.path).clicked() {
                    chosen = Some(Key::Field(field.path.clone()));
                }
            }
        });
        chosen
    }
}

/// The field that a text means: the one with this path, else with this label, in both cases before those that differ in
/// letter case; else the first listed one that contains the text.
fn meant<'a>(fields: &'a [FieldCount], text: &str) -> Option<&'a FieldCount> {
    let is_same = |name: &str| name.to_lowercase() == text.to_lowercase();
    let contains = |name: &str| name.to_lowercase().contains(&text.to_lowercase());
    let first = |is_it: &dyn Fn(&FieldCount) -> bool| fields.iter().find(|field| is_it(field));
    first(&|field| field.path == text)
        .or_else(|| first(&|field| is_same(&field.path)))
        .or_else(|| first(&|field| field.label == text))
        .or_else(|| first(&|field| is_same(&field.label)))
        .or_else(|| near_fields(fields, text).into_iter().find(|field| contains(&field.path) || contains(&field.label)))
}

fn grouped_count(count: u64) -> String {
    grouped(usize::try_from(count).unwrap_or(usize::MAX))
}

impl Job for FieldChoices {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some(found) = self.task.poll_newest() {
            self.found = found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_name_means_the_field_of_that_name() {
        let field =
            |path: &str, label: &str, count| FieldCount { path: path.to_owned(), label: label.to_owned(), count };
        // By count, as the menu lists them.
        let fields = [field("nursery.reason", "Reason", 900), field("reason", "", 40), field("size", "Bytes", 7)];
        let path = |text: &str| meant(&fields, text).map(|field| field.path.as_str());
        for text in ["reason", "Reason", "REASON", "reaso"] {
            assert_eq!(path(text), Some("reason"), "{text}");
        }
        assert_eq!(path("nursery"), Some("nursery.reason"));
        assert_eq!(path("bytes"), Some("size"));
        assert_eq!(path("nothing of this"), None);
    }
}
