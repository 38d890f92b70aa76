//! The function that a summary names.

use super::fact::{Fact, fact};

/// The end of a summary about a task: the function with most samples inside; empty without samples. `task` has the facts of
/// the task, with its functions under `top`.
pub(super) fn most_samples_in(task: Option<&Fact>) -> String {
    let Some(Fact::Group(facts)) = task else { return String::new() };
    let Some(Fact::List(functions)) = fact(facts, "top") else { return String::new() };
    let Some(Fact::Group(first)) = functions.first() else { return String::new() };
    match fact(first, "name") {
        Some(Fact::Text(name)) => format!(", most samples in {name}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Fact, most_samples_in};

    #[test]
    fn summaries_name_the_first_function() {
        let function = |name: &str| Fact::Group(vec![("name", Fact::text(name)), ("samples", Fact::Count(3))]);
        let task = |functions| Fact::Group(vec![("top", Fact::List(functions))]);
        assert_eq!(
            most_samples_in(Some(&task(vec![function("render"), function("other")]))),
            ", most samples in render"
        );
        assert_eq!(most_samples_in(Some(&task(Vec::new()))), "");
        assert_eq!(most_samples_in(Some(&task(vec![function("")]))), "");
        assert_eq!(most_samples_in(None), "");
    }
}
