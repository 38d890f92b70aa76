//! Tables of Firefox profiles: rows by a schema (raw) or columns (processed).

use serde_json::Value;

use super::json::{list, ns_of_ms, rounded};

/// A table of either form.
#[derive(Clone, Copy)]
pub(super) struct Table<'a>(pub(super) &'a Value);

impl<'a> Table<'a> {
    pub(super) fn len(self) -> usize {
        if self.is_raw() {
            return list(&self.0["data"]).len();
        }
        let columns = self.0.as_object().map(|columns| columns.values().map(|column| list(column).len()));
        columns.and_then(Iterator::max).unwrap_or(0)
    }

    fn is_raw(self) -> bool {
        self.0["schema"].is_object()
    }

    /// A cell. Missing cells are null.
    pub(super) fn get(self, row: usize, column: &str) -> &'a Value {
        if !self.is_raw() {
            return &self.0[column][row];
        }
        let at = self.0["schema"][column].as_u64().and_then(|at| usize::try_from(at).ok());
        at.map_or(&Value::Null, |at| &self.0["data"][row][at])
    }

    pub(super) fn index(self, row: usize, column: &str) -> Option<usize> {
        self.get(row, column).as_u64().and_then(|index| usize::try_from(index).ok())
    }

    pub(super) fn has(self, column: &str) -> bool {
        self.0.get(column).is_some_and(Value::is_array) || self.0["schema"].get(column).is_some()
    }

    /// The times of the rows in nanoseconds: `time`, or the sums of `timeDeltas`.
    pub(super) fn times(self) -> Vec<i64> {
        if self.has("timeDeltas") && !self.has("time") {
            let deltas = list(&self.0["timeDeltas"]).iter().map(|delta| delta.as_f64().unwrap_or(0.0));
            let sums = deltas.scan(0.0, |time, delta| {
                *time += delta;
                Some(*time)
            });
            return sums.map(|ms: f64| rounded(ms * 1e6)).collect();
        }
        (0..self.len()).filter_map(|row| ns_of_ms(self.get(row, "time"))).collect()
    }
}

/// The categories of stacks.
pub(super) struct Stacks<'a> {
    stacks: Table<'a>,
    frames: Table<'a>,
    idle: Option<usize>,
    default: usize,
}

impl<'a> Stacks<'a> {
    /// The stacks of a thread. Its tables are its own or those of the whole profile.
    pub(super) fn new(root: &'a Value, process: &'a Value, thread: &'a Value) -> Self {
        let table = |name: &str| Table(thread.get(name).unwrap_or(&root["shared"][name]));
        let own = list(&process["meta"]["categories"]);
        let categories = if own.is_empty() { list(&root["meta"]["categories"]) } else { own };
        let idle = categories.iter().position(|category| category["name"] == "Idle");
        let default = categories.iter().position(|category| category["color"] == "grey").unwrap_or(0);
        Self { stacks: table("stackTable"), frames: table("frameTable"), idle, default }
    }

    /// The category of a stack: that of its innermost frame that has one.
    fn category(&self, stack: usize) -> usize {
        if let Some(category) = self.stacks.index(stack, "category") {
            return category;
        }
        let mut at = Some(stack);
        while let Some(stack) = at {
            let frame = self.stacks.index(stack, "frame");
            if let Some(category) = frame.and_then(|frame| self.frames.index(frame, "category")) {
                return category;
            }
            at = match self.stacks.index(stack, "prefixOffset") {
                Some(offset) => (offset > 0).then(|| stack - offset),
                None => self.stacks.index(stack, "prefix"),
            };
        }
        self.default
    }

    pub(super) fn is_idle(&self, stack: usize) -> bool {
        self.idle == Some(self.category(stack))
    }
}
