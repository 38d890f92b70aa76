//! The queries that were run on a recording, and walking through them.

/// Maximum number of queries.
const MAX_QUERIES: usize = 50;
/// Longer queries are not kept; in bytes.
const MAX_LENGTH: usize = 20_000;

/// Queries from the oldest to the newest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct QueryHistory {
    queries: Vec<String>,
    /// The query that is shown; `None` for the text that was typed.
    at: Option<usize>,
    /// The typed text, while an older query is shown.
    draft: String,
}

impl QueryHistory {
    /// A history with queries from the oldest to the newest.
    pub(super) fn with(queries: impl IntoIterator<Item = String>) -> Self {
        let mut history = Self::default();
        queries.into_iter().for_each(|query| history.add(&query));
        history
    }

    /// The queries from the oldest to the newest.
    pub(super) fn queries(&self) -> &[String] {
        &self.queries
    }

    /// Adds a query that was run; an equal older one is dropped.
    pub(super) fn add(&mut self, query: &str) {
        (self.at, self.draft) = (None, String::new());
        if query.trim().is_empty() || query.len() > MAX_LENGTH {
            return;
        }
        self.queries.retain(|other| other != query);
        self.queries.push(query.to_owned());
        let excess = self.queries.len().saturating_sub(MAX_QUERIES);
        self.queries.drain(..excess);
    }

    /// The query before (`back`) or after the shown one; the typed text comes after the newest. `None` at either end.
    pub(super) fn step(&mut self, shown: &str, back: bool) -> Option<String> {
        let count = self.queries.len();
        let at = self.at.filter(|at| self.queries.get(*at).is_some_and(|query| query == shown));
        if at.is_none() {
            shown.clone_into(&mut self.draft);
        }
        let mut next = at.unwrap_or(count);
        loop {
            next = if back { next.checked_sub(1)? } else { next + 1 };
            if next > count {
                return None;
            }
            let text = self.queries.get(next).unwrap_or(&self.draft);
            if text != shown || next == count {
                self.at = (next < count).then_some(next);
                return Some(text.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_return_to_the_typed_text() {
        let mut history = QueryHistory::with(["a", "b", "a", " "].map(str::to_owned));
        assert_eq!(history.queries(), ["b", "a"]);
        assert_eq!(history.step("typed", true).as_deref(), Some("a"));
        assert_eq!(history.step("a", true).as_deref(), Some("b"));
        assert_eq!(history.step("b", true), None);
        assert_eq!(history.step("b", false).as_deref(), Some("a"));
        assert_eq!(history.step("a", false).as_deref(), Some("typed"));
        assert_eq!(history.step("typed", false), None);
        // The newest query is shown right after it was run.
        history.add("c");
        assert_eq!(history.step("c", true).as_deref(), Some("a"));
        // An edited query is a typed text.
        assert_eq!(history.step("a2", false), None);
        assert_eq!(history.step("a2", true).as_deref(), Some("c"));
    }

    #[test]
    fn the_history_is_bounded() {
        let mut history = QueryHistory::with((0..200).map(|number| number.to_string()));
        history.add(&"x".repeat(MAX_LENGTH + 1));
        assert_eq!((history.queries().len(), history.queries()[MAX_QUERIES - 1].as_str()), (MAX_QUERIES, "199"));
    }
}
