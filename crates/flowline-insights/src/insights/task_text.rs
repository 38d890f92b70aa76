//! The name of a task in a summary.

use super::fact::{Fact, fact};

/// The end of a summary about a task: its name; empty without one. `task` has the facts of the task.
pub(super) fn named(task: Option<&Fact>) -> String {
    let Some(Fact::Group(facts)) = task else { return String::new() };
    match fact(facts, "name") {
        Some(Fact::Text(name)) if !name.is_empty() => format!(": {name}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Fact, named};

    #[test]
    fn summaries_name_the_task() {
        let task = |name| Fact::Group(vec![("name", name)]);
        assert_eq!(named(Some(&task(Fact::text("render, app.js:3")))), ": render, app.js:3");
        assert_eq!(named(Some(&task(Fact::text("")))), "");
        assert_eq!(named(Some(&task(Fact::Unknown))), "");
        assert_eq!(named(None), "");
    }
}
