//! A strict XML reader for the subset that drawings use: declaration, elements, attributes, text, predefined entities.

use std::collections::BTreeMap;

/// An element.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    /// Text directly inside the element.
    pub(crate) text: String,
    /// Index of the parent element.
    pub(crate) parent: Option<usize>,
}

impl Element {
    /// An attribute.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    /// A numeric attribute; zero if it is absent.
    pub(crate) fn number(&self, name: &str) -> f32 {
        self.get(name).map_or(0.0, |value| value.parse().unwrap_or_else(|_| panic!("{name}={value}")))
    }
}

fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

fn decoded(text: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let (entity, after) = rest[at + 1..].split_once(';').ok_or_else(|| format!("a bare & in {text:?}"))?;
        out.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            other => return Err(format!("an unknown entity {other:?}")),
        });
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

fn is_name(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-:".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_part)
}

/// The elements of a document in document order, root first. The error describes the first malformed part.
pub(crate) fn elements(document: &str) -> Result<Vec<Element>, String> {
    if let Some(c) = document.chars().find(|c| !is_allowed(*c)) {
        return Err(format!("the character {c:?}"));
    }
    let mut rest = document;
    if let Some(after) = rest.strip_prefix("<?xml ") {
        rest = after.split_once("?>").ok_or("the declaration has no end")?.1;
    }
    let (mut all, mut open): (Vec<Element>, Vec<usize>) = (Vec::new(), Vec::new());
    while let Some(at) = rest.find('<') {
        let (text, tag) = (&rest[..at], &rest[at + 1..]);
        let text = decoded(text)?;
        match open.last() {
            Some(parent) => all[*parent].text.push_str(&text),
            None if !text.trim().is_empty() => return Err(format!("text outside of elements: {text:?}")),
            None => {}
        }
        let (tag, after) = tag.split_once('>').ok_or("a tag has no end")?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let ended = open.pop().ok_or_else(|| format!("</{name}> ends nothing"))?;
            if all[ended].name != name {
                return Err(format!("</{name}> ends <{}>", all[ended].name));
            }
            continue;
        }
        if open.is_empty() && !all.is_empty() {
            return Err("a second root".into());
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, mut list) = tag.split_once(' ').unwrap_or((tag, ""));
        if !is_name(name) {
            return Err(format!("an element named {name:?}"));
        }
        let mut attributes = BTreeMap::new();
        while !list.trim().is_empty() {
            let (key, value) = list.split_once("=\"").ok_or_else(|| format!("attributes {list:?}"))?;
            let (value, after) = value.split_once('"').ok_or_else(|| format!("the value of {key} has no end"))?;
            if !is_name(key.trim()) || value.contains('<') || !(after.is_empty() || after.starts_with(' ')) {
                return Err(format!("the attribute {key}={value:?}"));
            }
            if attributes.insert(key.trim().to_owned(), decoded(value)?).is_some() {
                return Err(format!("{key} twice"));
            }
            list = after;
        }
        all.push(Element { name: name.to_owned(), attributes, text: String::new(), parent: open.last().copied() });
        if !is_empty {
            open.push(all.len() - 1);
        }
    }
    if !rest.trim().is_empty() || !open.is_empty() || all.is_empty() {
        return Err("the document is not complete".into());
    }
    Ok(all)
}
