//! Tests of substring search, and of markers derived from several objects: searching the objects gives the same result
//! as searching the decoded payload.

use super::fields::SearchedFields;
use super::term::CompiledTerm;
use super::text::contains;
use crate::search::query::{Query, Term, Test};
use crate::{Arrangement, Index};
use flowline_import::{Progress, read};
use flowline_profile::{LocalMarker, Thread, Value};
use flowline_synth as synth;

#[test]
fn substrings_ignore_case() {
    for (text, wanted, expected) in
        [("DOMEvent", "event", true), ("a", "aa", false), ("ÄRGER", "ärger", true), ("", "x", false), ("x", "", true)]
    {
        assert_eq!(contains(text.as_bytes(), wanted), expected, "{text} {wanted}");
    }
}

#[test]
fn numeric_texts_are_recognized() {
    let with = |text: &str, literal: Option<&str>| Term {
        test: Test::Anywhere(text.into()),
        negated: false,
        literal: literal.map(str::to_owned),
        typed: String::new(),
    };
    let term = |text: &str| with(text, None);
    for text in ["12", "-1.5", "e-7", "infinity", "nan", ""] {
        assert!(term(text).can_be_number(), "{text}");
    }
    for text in ["12ms", "gecko", "a:1", "0x1f"] {
        assert!(!term(text).can_be_number(), "{text}");
    }
    assert!(with("ms", Some("1")).can_be_number());
}

/// Texts of a payload and parts of them, as a user might type them.
fn texts_in(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            found.push(format!("{}:{}", key.to_lowercase(), value.display_js().to_lowercase()));
            texts_in(value, found);
        }),
        Value::List(items) => items.iter().for_each(|item| texts_in(item, found)),
        value => {
            let text = value.display_js().to_lowercase();
            found.push(text.chars().skip(1).take(6).collect());
            found.push(text);
        }
    }
}

#[test]
fn searching_several_objects_agrees_with_decoding() {
    let options = synth::Options {
        markers: 4_000,
        format: synth::Format::Firefox,
        threads: None,
        flows: None,
        samples: 0,
        seed: 5,
    };
    let mut profile = Vec::new();
    synth::write(&options, &mut profile).expect("writing to memory");
    // Slices whose begin and end both have arguments, some of them under the same key.
    let slice = |at: u32| {
        let event = |ph: &str, ts: u32, args: String| {
            format!(r#"{{"ph":"{ph}","pid":1,"tid":2,"ts":{ts},"name":"slice","args":{{{args}}}}}"#)
        };
        let begin = format!(r#""a":"begin {}","b":{},"c":{{"d":[1,"deep{at}"]}}"#, at % 7, at / 2);
        let end = format!(r#""a":{},"e":"end \u0041{at}""#, ["null", "\"over\"", "17.50"][at as usize % 3]);
        event("B", at * 10, begin) + "," + &event("E", at * 10 + 4, end)
    };
    let trace = format!("[{}]", (0..200).map(slice).collect::<Vec<_>>().join(","));
    for text in [profile, trace.into_bytes()] {
        let profile = read(text, &Progress::default()).expect("a valid synthetic recording").profile;
        let index = Index::build(profile.into(), Arrangement::ByName);
        let profile = index.profile();
        let joined: Vec<(&Thread, LocalMarker)> = profile
            .threads
            .iter()
            .flat_map(|thread| (0..thread.markers.len()).map(move |at| (thread, LocalMarker::new(at))))
            .filter(|(thread, marker)| thread.markers.supplement(*marker).is_some())
            .collect();
        assert!(joined.len() > 20, "{}", joined.len());
        let mut texts: Vec<String> =
            ["1", ".", "e", "zzz", "start", "type:ipc", "starttime:1"].map(String::from).into();
        for (thread, marker) in joined.iter().step_by(joined.len() / 20) {
            let payload = profile.payload_in(thread, *marker);
            texts_in(&payload, &mut texts);
        }
        texts.sort_unstable();
        texts.dedup();
        let (mut found, mut asked) = (0, 0);
        for text in texts {
            let query = Query::parse(&format!("\"{}\"", text.replace('"', "\"\"")));
            for term in query.terms() {
                let compiled = CompiledTerm::new(profile, index.flows(), term, profile.clock());
                for &(thread, marker) in &joined {
                    let kind = thread.markers.kind(marker);
                    let choice = kind.map_or(&compiled.untyped, |kind| &compiled.fields[kind.index()]);
                    let expected =
                        *choice != SearchedFields::None && compiled.in_decoded(profile, thread, marker, choice);
                    let told = compiled.in_payload(profile, thread, marker, choice);
                    assert_eq!(told, expected, "{text} in {:?}", thread.markers.payload(marker));
                    (found, asked) = (found + usize::from(expected), asked + 1);
                }
            }
        }
        assert!(found > 100 && found < asked / 2, "{found} of {asked}");
    }
}
