//! Groups that depend on payloads, and pairs of keys with too many possible values. The markers are visited once, piece
//! by piece; then the groups of all pieces are numbered together.

use std::collections::HashMap;

use rayon::prelude::*;
use smallvec::SmallVec;

use super::field_path::{self, FoundField};
use super::table::Table;
use super::{Grouping, Key, KeyValue};
use crate::statistics::pieces::Piece;
use crate::statistics::subject::{Member, Subject, ThreadPart};
use flowline_profile::text::FieldKind;
use flowline_profile::{CompactString, Ns, Profile, Value};

/// Number of markers read between two cancellation checks.
const BATCH: usize = 1 << 10;

/// One key value of a group within a piece: the number of a plain value, or of a text of the piece.
type FieldPart = u32;

/// The parts of a group. Nearly all groupings have one or two keys.
type Parts = SmallVec<[FieldPart; 2]>;

/// Reads the value of a key.
enum Reader<'a> {
    Plain(Table),
    Field(&'a str),
}

/// The groups of a piece.
#[derive(Default)]
struct FieldValues {
    /// For each member, the index of its thread in the subject, its position, and its group number.
    members: Vec<(u32, u32, u32)>,
    /// The parts of each group.
    groups: Vec<Parts>,
    /// For each key, the texts of the piece; `None` for markers without the field.
    texts: Vec<Vec<Option<CompactString>>>,
}

/// Numbers things in order of first occurrence.
struct Interner<T>(HashMap<T, u32>);

impl<T: std::hash::Hash + Eq + Clone> Interner<T> {
    fn number(&mut self, thing: &T, list: &mut Vec<T>) -> u32 {
        if let Some(number) = self.0.get(thing) {
            return *number;
        }
        let number = u32::try_from(list.len()).unwrap_or(u32::MAX);
        self.0.insert(thing.clone(), number);
        list.push(thing.clone());
        number
    }
}

/// The text of a marker's field in the form that `key:=value` matches, or JSON for nested values that have no such
/// form; `None` if the marker does not have the field.
fn field_text(profile: &Profile, part: &ThreadPart<'_>, member: &Member, key: &str) -> Option<CompactString> {
    let Value::Object(members) = profile.described_payload(part.thread, member.marker) else { return None };
    let kind = part.thread.markers.kind(member.marker);
    let schema = kind.and_then(|kind| profile.types.schema(kind));
    let type_name = kind.and_then(|kind| profile.types.get(kind)).map(|kind| profile.strings.get(kind.name));
    let FoundField { key, value } = field_path::find(&members, schema, type_name, key)?;
    let is_listed = key.is_some_and(|key| schema.is_some_and(|schema| schema.field(key).is_some()));
    if matches!(value, Value::Object(_)) || (value.is_nested() && !is_listed) {
        let mut json = String::new();
        value.to_json(&mut json);
        return Some(json.into());
    }
    match key.map_or(FieldKind::Plain, |key| FieldKind::of(schema, type_name, key)) {
        FieldKind::Window => Some(value.display_js().into()),
        kind => Some(profile.searched_texts(part.thread, kind, value, Ns(0), profile.clock()).join(", ").into()),
    }
}

fn read(
    subject: &Subject<'_>,
    piece: &Piece,
    readers: &[Reader<'_>],
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<FieldValues> {
    let mut found = FieldValues { texts: vec![Vec::new(); readers.len()], ..FieldValues::default() };
    let mut interners: Vec<Interner<Option<CompactString>>> =
        readers.iter().map(|_| Interner(HashMap::new())).collect();
    let mut groups: Interner<Parts> = Interner(HashMap::new());
    let mut parts = Parts::new();
    let mut goes_on = true;
    piece.visit(subject, |thread, part, position, member| {
        if found.members.len().is_multiple_of(BATCH) {
            goes_on &= keep_going();
        }
        if !goes_on {
            return;
        }
        parts.clear();
        for ((reader, interner), texts) in readers.iter().zip(&mut interners).zip(&mut found.texts) {
            parts.push(match reader {
                Reader::Plain(table) => table.number(part, &member),
                Reader::Field(key) => interner.number(&field_text(subject.profile(), part, &member, key), texts),
            });
        }
        let group = groups.number(&parts, &mut found.groups);
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        found.members.push((number(thread), number(position), group));
    });
    goes_on.then_some(found)
}

/// The group number of each candidate, and the values of each group.
type Listed = (Vec<Vec<u32>>, Vec<Vec<KeyValue>>);

/// Numbers the groups of all members; `None` if `keep_going` returned `false`.
pub(super) fn number(
    subject: &Subject<'_>,
    pieces: &[Piece],
    grouping: &Grouping,
    table: &impl Fn(&Key) -> Option<Table>,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Listed> {
    let mut readers: Vec<Reader<'_>> = Vec::new();
    for key in &grouping.keys {
        readers.extend(match key {
            Key::Field(name) => Some(Reader::Field(name)),
            plain => table(plain).map(Reader::Plain),
        });
    }
    let found: Option<Vec<FieldValues>> =
        pieces.par_iter().with_max_len(1).map(|piece| read(subject, piece, &readers, keep_going)).collect();
    let mut numbers: Vec<Vec<u32>> = subject.threads.iter().map(|part| vec![0; part.to - part.from]).collect();
    let mut texts: Vec<Vec<Option<CompactString>>> = vec![Vec::new(); readers.len()];
    let mut interners: Vec<Interner<Option<CompactString>>> =
        readers.iter().map(|_| Interner(HashMap::new())).collect();
    let (mut groups, mut known) = (Vec::new(), Interner(HashMap::new()));
    for piece in found? {
        if !keep_going() {
            return None;
        }
        let of_texts: Vec<Vec<u32>> = (piece.texts.iter().zip(&mut interners).zip(&mut texts))
            .map(|((own, interner), all)| own.iter().map(|text| interner.number(text, all)).collect())
            .collect();
        let of_groups: Vec<u32> = piece
            .groups
            .into_iter()
            .map(|mut parts| {
                for ((part, reader), of_texts) in parts.iter_mut().zip(&readers).zip(&of_texts) {
                    if matches!(reader, Reader::Field(_)) {
                        *part = of_texts[*part as usize];
                    }
                }
                known.number(&parts, &mut groups)
            })
            .collect();
        for (thread, position, group) in piece.members {
            let thread = thread as usize;
            numbers[thread][position as usize - subject.threads[thread].from] = of_groups[group as usize];
        }
    }
    let value = |(part, (reader, texts)): (&FieldPart, (&Reader<'_>, &Vec<Option<CompactString>>))| match reader {
        Reader::Plain(table) => table.value(subject.profile(), *part, grouping),
        Reader::Field(_) => texts[*part as usize].clone().map_or(KeyValue::Missing, KeyValue::Text),
    };
    let values = groups.iter().map(|parts| parts.iter().zip(readers.iter().zip(&texts)).map(value).collect());
    Some((numbers, values.collect()))
}
