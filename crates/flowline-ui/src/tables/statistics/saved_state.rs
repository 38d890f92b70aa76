//! Saved state of the statistics table. Comparisons are not saved.

use super::columns::{Number, SortBy};
use super::state::StatisticsTable;
use super::subject::Subject;
use crate::table_state::{self, Members, Words};
use flowline_index::statistics::{Key, RangeRule};
use flowline_profile::Value;

const SUBJECTS: Words<Subject> =
    &[(Subject::Markers, "markers"), (Subject::Counters, "counters"), (Subject::Flows, "flows")];
const RULES: Words<RangeRule> = &[(RangeRule::StartsInside, "starts_inside"), (RangeRule::Overlaps, "overlaps")];
/// Saved names of the sort order by a key.
const KEYS: [&str; 2] = ["first key", "second key"];

/// Saved name of a column. Earlier views call the share "%".
fn title(number: Number) -> &'static str {
    match number {
        Number::Share => "%",
        number => number.text().0,
    }
}

/// Saved form of a key. Fields are lists, because a field may have the name of another key.
fn key_value(key: &Key) -> Value {
    match key {
        Key::Field(name) => Value::List(vec![table_state::text(name)]),
        key => table_state::text(key.name()),
    }
}

fn read_key(value: &Value) -> Option<Key> {
    match value {
        Value::List(_) => Some(Key::Field(table_state::items(Some(value)).first()?.as_str()?.to_owned())),
        value => match Key::parse(value.as_str()?) {
            Key::Field(_) => None,
            key => Some(key),
        },
    }
}

impl StatisticsTable {
    /// State to save: subject, keys, columns, widths and sort order.
    pub(crate) fn choices(&self) -> Value {
        let mut members = Members::default();
        members.add("of", table_state::word(SUBJECTS, &self.what));
        members.list("keys", self.keys.iter().flatten().map(key_value).collect());
        members.flag("without_digits", self.normalize);
        if let Some(rule) = &self.chosen_rule {
            members.add("range", table_state::word(RULES, rule));
        }
        members.add("columns", table_state::columns(&self.shown, title));
        members.add("widths", table_state::widths(&self.widths));
        let by = match self.sort.0 {
            SortBy::Key(key) => KEYS.get(key).copied().unwrap_or(KEYS[0]),
            SortBy::Number(number) => title(number),
        };
        members.add("sort", table_state::sort(by, self.sort.1));
        members.object()
    }

    /// Restores saved state.
    pub(crate) fn set_choices(&mut self, value: &Value) {
        self.what = table_state::choice(SUBJECTS, value.get("of")).unwrap_or(self.what);
        if value.get("of").is_some() {
            let mut keys = table_state::items(value.get("keys")).iter().filter_map(read_key);
            self.keys = [keys.next(), keys.next()];
            self.normalize = table_state::is_on(value, "without_digits");
        }
        self.chosen_rule = table_state::choice(RULES, value.get("range")).or(self.chosen_rule);
        let columns = table_state::read_columns(value.get("columns"), &Number::ALL, title);
        columns.into_iter().for_each(|columns| self.shown = columns);
        self.widths = table_state::read_widths(value);
        let by_key = table_state::read_sort(value.get("sort"), &[0, 1], |key| KEYS[key]);
        let by_key = by_key.filter(|(key, _)| self.keys.iter().flatten().count() > *key);
        let by_number = table_state::read_sort(value.get("sort"), &Number::ALL, title);
        let by_key = by_key.map(|(key, descending)| (SortBy::Key(key), descending));
        let by_number = by_number.map(|(number, descending)| (SortBy::Number(number), descending));
        self.sort = by_key.or(by_number).unwrap_or(self.sort);
    }
}
