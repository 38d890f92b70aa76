//! Short forms of symbols of C++: without return type, parameters and namespaces, which are alike for all functions of a
//! library.

/// Letters of a function's name that stay when its template arguments need the room.
const LEAST_NAME: usize = 8;

/// True for a symbol of C++ with namespaces and template arguments or parameters, such as that of a kernel of a library for GPUs.
#[must_use]
pub fn is_cpp_symbol(text: &str) -> bool {
    text.contains("::") && text.contains(['<', '(']) && !text.contains("://")
}

/// A symbol of C++ in at most `letters` characters if it can be: without return type, parameters and namespaces; if that is too
/// long, without arguments that are numbers, and with the beginnings of both the name and the arguments, by which functions of
/// one family differ.
#[must_use]
pub fn shorten_symbol(text: &str, letters: usize) -> String {
    let short = without_namespaces(function_of(text));
    if short.chars().count() <= letters {
        return short;
    }
    let Some((name, arguments)) = short.split_once('<') else { return cut(&short, letters) };
    let mut types = arguments;
    while let Some((first, rest)) = types.split_once(", ") {
        if !is_number(first) {
            break;
        }
        types = rest;
    }
    let (name_length, types_length) = (name.chars().count(), types.chars().count());
    if name_length + 1 + types_length <= letters {
        return format!("{name}<{types}");
    }
    // The name gets what the arguments leave, but at least half.
    let room = letters.saturating_sub(types_length + 1).max(letters / 2).max(LEAST_NAME);
    let name = cut(name, room);
    let left = letters.saturating_sub(name.chars().count() + 1);
    format!("{name}<{}", cut(types, left))
}

/// The first letters of a text, with an ellipsis if there are more.
fn cut(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    text.chars().take(letters.saturating_sub(1)).chain(['…']).collect()
}

/// True for "4", "-1", "512ul", "true" and "(short)2": such arguments tell little.
fn is_number(text: &str) -> bool {
    let text = text.rsplit(')').next().unwrap_or(text);
    text == "true" || text == "false" || text.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit())
}

/// How deep brackets are nested.
#[derive(Default)]
struct Depth(usize);

impl Depth {
    /// Reads the letter at a place of a symbol; true if it is outside of all brackets.
    fn is_outside(&mut self, symbol: &str, at: usize, letter: char) -> bool {
        let was_outside = self.0 == 0;
        // "operator<<" and "operator->" open and close nothing.
        let is_operator = || symbol[..at].trim_end_matches(['<', '>', '-']).ends_with("operator");
        match letter {
            '<' | '>' if is_operator() => {}
            '<' | '(' | '[' | '{' => self.0 += 1,
            '>' | ')' | ']' | '}' => self.0 = self.0.saturating_sub(1),
            _ => {}
        }
        was_outside && self.0 == 0
    }
}

/// A symbol without its return type and its parameters.
fn function_of(text: &str) -> &str {
    let mut start = 0;
    let mut depth = Depth::default();
    for (at, letter) in text.char_indices() {
        if depth.is_outside(text, at, letter) && letter == ' ' && !text[..at].ends_with("operator") {
            let rest = &text[at + 1..];
            // "const" after the parameters, and words such as "[clone .cold]", are not a name.
            if rest.starts_with(|first: char| first.is_alphabetic() || "_(~".contains(first)) && rest.contains("::") {
                start = at + 1;
            }
        }
    }
    let function = &text[start..];
    let Some(parameters) = parameters_at(function) else { return function };
    function[..parameters].trim_end()
}

/// Where the parameters of a function begin.
fn parameters_at(function: &str) -> Option<usize> {
    let mut depth = Depth::default();
    let (mut opened, mut found) = (None, None);
    for (at, letter) in function.char_indices() {
        if letter == '(' && depth.0 == 0 {
            opened = Some(at);
        }
        let is_inside = depth.0 > 0;
        depth.is_outside(function, at, letter);
        // A namespace such as "(anonymous namespace)" goes on, and so does "operator()".
        let (rest, closed) = (&function[at + letter.len_utf8()..], is_inside && depth.0 == 0 && letter == ')');
        if closed && !rest.starts_with("::") && !rest.starts_with('(') && !rest.starts_with('<') {
            found = opened;
        }
    }
    found.filter(|at| *at > 0)
}

/// A symbol without the namespaces of its names: parts in lower case, without arguments, before `::`.
fn without_namespaces(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let text = text.replace("(anonymous namespace)::", "").replace("{anonymous}::", "");
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let word = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(rest.len());
        if word == 0 {
            let next = rest.chars().next().map_or(1, char::len_utf8);
            short.push_str(&rest[..next]);
            rest = &rest[next..];
        } else if rest[word..].starts_with("::") && !rest[..word].contains(char::is_uppercase) {
            rest = &rest[word + 2..];
        } else {
            short.push_str(&rest[..word]);
            rest = &rest[word..];
        }
    }
    short.replace(" >", ">")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILL: &str = "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, \
        std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)";
    const ADD: &str = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, \
        std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)";

    #[test]
    fn symbols_lose_return_type_parameters_and_namespaces() {
        let cases = [
            (FILL, "vectorized_elementwise_kernel<4, FillFunctor<float>, array<char*, 1ul>>"),
            ("void at::native::(anonymous namespace)::indexSelect<long>(long)", "indexSelect<long>"),
            ("std::vector<int, std::allocator<int> >::push_back(int&&)", "vector<int, allocator<int>>::push_back"),
            ("mozilla::dom::Element::SetAttr(nsAtom*, bool) const", "Element::SetAttr"),
            ("bool mozilla::Maybe<int>::operator==(int) const", "Maybe<int>::operator=="),
            ("ns::Functor::operator()(int, float)", "Functor::operator()"),
            ("std::unique_ptr<A>::operator->() const", "unique_ptr<A>::operator->"),
            ("ns::A::operator bool() const", "A::operator bool"),
            ("std::ostream& std::operator<< <char>(std::ostream&, char)", "operator<< <char>"),
            ("core::ptr::drop_in_place<alloc::vec::Vec<u8>>", "drop_in_place<Vec<u8>>"),
        ];
        for (whole, short) in cases {
            assert!(is_cpp_symbol(whole), "{whole}");
            assert_eq!(shorten_symbol(whole, 200), short);
        }
    }

    #[test]
    fn siblings_differ_in_little_room() {
        for letters in 24..120 {
            let (fill, add) = (shorten_symbol(FILL, letters), shorten_symbol(ADD, letters));
            assert_ne!(fill, add, "{letters}");
            assert!(fill.chars().count() <= letters && add.chars().count() <= letters, "{letters}: {fill} {add}");
            assert!(fill.starts_with("vectoriz"), "{letters}: {fill}");
        }
        assert_eq!(shorten_symbol(FILL, 30), "vectorized_ele…<FillFunctor<f…");
    }

    #[test]
    fn other_names_are_no_symbols() {
        for name in ["ampere_sgemm_128x64_tn", "Load https://a.test/(x)", "GC (minor)", "Vec<u8>", "a::b"] {
            assert!(!is_cpp_symbol(name), "{name}");
        }
    }

    #[test]
    fn damaged_symbols_are_shortened_somehow() {
        for text in ["::<", "a::b<", "a::>>>(", "((((a::b)", ")))::(", "a::ü<ß>(", "operator::<)", "  ::()", "::é()"]
        {
            for letters in 0..12 {
                assert!(
                    shorten_symbol(text, letters).chars().count() <= letters.max(LEAST_NAME + 2),
                    "{text} {letters}"
                );
            }
        }
    }
}
