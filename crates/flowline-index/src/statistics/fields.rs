//! The fields of the payloads of a subject, with their numbers of markers, to choose a grouping key from.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;

use super::pieces;
use super::pieces::Piece;
use super::subject::Subject;
use flowline_profile::{Schema, Value};

/// Maximum depth of nested objects whose members are listed; the same as for grouping.
const MAX_DEPTH: usize = 4;
/// Maximum number of listed fields. Objects can have any number of keys.
const MAX_FIELDS: usize = 4096;
/// Number of markers read between two cancellation checks.
const BATCH: usize = 1 << 10;
/// Maximum number of near matches.
const MAX_NEAR: usize = 5;

/// A field that occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldCount {
    /// Its path: the key, or for a field of nested objects their keys and its own, separated by dots.
    pub path: String,
    /// Its label in the details, if that differs from the path; otherwise empty.
    pub label: String,
    /// Number of markers that have it.
    pub count: u64,
}

/// The fields of a piece, by path: the label, and the number of markers.
type Found = BTreeMap<String, (String, u64)>;

fn add(found: &mut Found, path: &str, label: &str) {
    if let Some((known, count)) = found.get_mut(path) {
        *count += 1;
        if known.is_empty() {
            label.clone_into(known);
        }
    } else if found.len() < MAX_FIELDS {
        found.insert(path.to_owned(), (label.to_owned(), 1));
    }
}

/// Adds the members of a payload (`path` is empty) or of an object in it.
fn add_members(
    found: &mut Found,
    members: &[(String, Value)],
    path: &mut String,
    schema: Option<&Schema>,
    is_internal: &impl Fn(&str) -> bool,
) {
    let (length, depth) = (path.len(), path.matches('.').count());
    for (key, value) in members {
        if value.is_null() || (length == 0 && is_internal(key)) {
            continue;
        }
        if length > 0 {
            path.push('.');
        }
        path.push_str(key);
        match value {
            Value::Object(inner) if depth < MAX_DEPTH => add_members(found, inner, path, None, is_internal),
            _ => {
                let field = schema.and_then(|schema| schema.field(key));
                let label = field.map_or("", |field| field.label.as_str());
                add(found, path, if label == path.as_str() { "" } else { label });
            }
        }
        path.truncate(length);
    }
}

fn read(subject: &Subject<'_>, piece: &Piece, keep_going: &(impl Fn() -> bool + Sync)) -> Option<Found> {
    let profile = subject.profile();
    let (mut found, mut visited, mut goes_on) = (Found::new(), 0_usize, true);
    let mut path = String::new();
    piece.visit(subject, |_, part, _, member| {
        if visited.is_multiple_of(BATCH) {
            goes_on &= keep_going();
        }
        visited += 1;
        if !goes_on {
            return;
        }
        if let Value::Object(members) = profile.described_payload(part.thread, member.marker) {
            let schema = part.thread.markers.kind(member.marker).and_then(|kind| profile.types.schema(kind));
            add_members(&mut found, &members, &mut path, schema, &|key| profile.is_internal(key));
        }
    });
    goes_on.then_some(found)
}

/// The fields of the markers of a subject, most frequent first, then by path. At most 4,096 are listed. `None` if
/// `keep_going` returned `false`.
#[must_use]
pub fn fields(subject: &Subject<'_>, keep_going: &(impl Fn() -> bool + Sync)) -> Option<Vec<FieldCount>> {
    let pieces = pieces::cut(subject);
    let parts: Option<Vec<Found>> =
        pieces.par_iter().with_max_len(1).map(|piece| read(subject, piece, keep_going)).collect();
    let mut all = Found::new();
    for (path, (label, count)) in parts?.into_iter().flatten() {
        let (known, sum) = all.entry(path).or_default();
        if known.is_empty() {
            *known = label;
        }
        *sum += count;
    }
    let mut fields: Vec<FieldCount> =
        all.into_iter().map(|(path, (label, count))| FieldCount { path, label, count }).collect();
    fields.sort_by_key(|field| Reverse(field.count));
    fields.truncate(MAX_FIELDS);
    Some(fields)
}

/// The fields whose path or label is similar to a name, most similar first.
#[must_use]
pub fn near_fields<'a>(fields: &'a [FieldCount], name: &str) -> Vec<&'a FieldCount> {
    let name = name.to_lowercase();
    let limit = (name.chars().count() / 3).max(1);
    let distance = |text: &str| {
        let text = text.to_lowercase();
        let contains = !text.is_empty() && (text.contains(&name) || (text.len() > 2 && name.contains(&text)));
        let last = text.rsplit('.').next().unwrap_or_default();
        let edits = edits(last, &name).min(edits(&text, &name));
        if contains { Some(edits.min(limit)) } else { Some(edits).filter(|edits| *edits <= limit) }
    };
    let near = fields.iter().filter_map(|field| {
        let label = Some(field.label.as_str()).filter(|label| !label.is_empty()).and_then(distance);
        // Of `reason` and `nursery.reason`, the one whose whole path is nearer comes first.
        let whole = edits(&field.path.to_lowercase(), &name);
        Some((distance(&field.path).into_iter().chain(label).min()?, whole, field))
    });
    let mut near: Vec<(usize, usize, &FieldCount)> = near.collect();
    near.sort_by_key(|(distance, whole, field)| (*distance, *whole, Reverse(field.count)));
    near.into_iter().take(MAX_NEAR).map(|(_, _, field)| field).collect()
}

/// The number of inserted, removed and replaced characters between two texts (Levenshtein distance).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, own) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(own != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (a, b, count) in
            [("", "", 0), ("reason", "reason", 0), ("reasn", "reason", 1), ("abc", "", 3), ("kitten", "sitting", 3)]
        {
            assert_eq!((edits(a, b), edits(b, a)), (count, count), "{a} {b}");
        }
    }

    #[test]
    fn similar_fields_come_first() {
        let field = |path: &str, label: &str, count| FieldCount { path: path.into(), label: label.into(), count };
        let fields = [field("url", "Address", 9), field("nursery.reason", "", 5), field("reasons", "", 1)];
        let near = |name: &str| -> Vec<&str> {
            near_fields(&fields, name).into_iter().map(|field| field.path.as_str()).collect()
        };
        assert_eq!(near("reason"), ["nursery.reason", "reasons"]);
        assert_eq!(near("reasn"), ["nursery.reason"]);
        assert_eq!(near("adress"), ["url"]);
        assert_eq!(near("nursery"), ["nursery.reason"]);
        assert!(near("quite different").is_empty());
    }
}
