//! Shorter forms of C++ names: without arguments, then without namespaces from the left.

use std::sync::Arc;

use egui::{Color32, FontId, Galley, Ui};

use super::elide::elide;

/// Maximum bytes of a name that is analyzed.
const MAX_BYTES: usize = 20_000;

/// The name without its arguments and with `<…>` for template arguments; `None` if it has none, or is no C++ name.
fn without_arguments(name: &str) -> Option<String> {
    // Names of operators contain brackets that do not match.
    if name.contains("operator") || !(name.contains("::") || name.contains('<')) {
        return None;
    }
    let (mut text, mut depth) = (String::new(), Vec::new());
    let bytes = name.as_bytes();
    for (at, char) in name.char_indices() {
        match char {
            '<' | '(' => {
                // "(anonymous namespace)::" is a part of the name.
                let is_name = char == '(' && name[at..].starts_with("(anonymous namespace)");
                if depth.is_empty() && is_name {
                    text.push_str("(anonymous namespace)");
                } else if depth.is_empty() && char == '<' {
                    text.push_str("<…>");
                }
                depth.push(char);
            }
            '>' if at > 0 && bytes[at - 1] == b'-' => {}
            '>' | ')' => {
                let opening = if char == '>' { '<' } else { '(' };
                if depth.pop() != Some(opening) {
                    return None;
                }
            }
            char if depth.is_empty() => text.push(char),
            _ => {}
        }
    }
    let text = text.trim_end().to_owned();
    (depth.is_empty() && !text.is_empty() && text != name).then_some(text)
}

/// The name without its first namespace.
fn without_namespace(name: &str) -> Option<String> {
    // A return type before the name stays.
    let start = name.rfind(' ').filter(|at| !name[*at..].starts_with(" namespace")).map_or(0, |at| at + 1);
    let (_, rest) = name[start..].split_once("::")?;
    (!rest.is_empty()).then(|| format!("{}{rest}", &name[..start]))
}

/// Shorter forms of a C++ name, the longest first; none for other names.
pub(crate) fn short_forms(name: &str) -> Vec<String> {
    if name.len() > MAX_BYTES {
        return Vec::new();
    }
    let is_plain = || name.contains("::") && !name.contains(['<', '>', '(', ')', ' ', '/']);
    let first = without_arguments(name).or_else(|| without_namespace(name).filter(|_| is_plain()));
    std::iter::successors(first, |form| without_namespace(form)).collect()
}

/// Lays a name out on one line of at most `width` points: the longest form that fits, else with an ellipsis.
pub(crate) fn elide_name(ui: &Ui, name: &str, width: f32, font: FontId, color: Color32) -> Arc<Galley> {
    let whole = elide(ui, name, width, font.clone(), color);
    if !whole.elided {
        return whole;
    }
    let forms = short_forms(name);
    let mut shorter = forms.iter().map(|form| elide(ui, form, width, font.clone(), color));
    let shortest = forms.last().map(|form| elide(ui, form, width, font.clone(), color));
    shorter.find(|form| !form.elided).or(shortest).unwrap_or(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_go_first_and_namespaces_from_the_left() {
        let name = "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, \
                    std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)";
        let expected = [
            "void at::native::vectorized_elementwise_kernel<…>",
            "void native::vectorized_elementwise_kernel<…>",
            "void vectorized_elementwise_kernel<…>",
        ];
        assert_eq!(short_forms(name), expected);
        assert_eq!(short_forms("a::b::c"), ["b::c", "c"]);
        assert_eq!(short_forms("(anonymous namespace)::run(int)")[0], "(anonymous namespace)::run");
    }

    #[test]
    fn other_names_stay() {
        for name in [
            "renderGrid",
            "(anonymous)",
            "Load 3: https://a.test/x(1)",
            "a::operator<(int)",
            "x < y",
            "(a::b",
            "a::b)>",
            "",
        ] {
            assert!(short_forms(name).is_empty(), "{name}");
        }
    }
}
