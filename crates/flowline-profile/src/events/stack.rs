//! Stack traces of trace events, innermost frame first.
//!
//! An event refers to its stack by the id of a frame (`sf`) in the recording's frame table (`stackFrames`: id to name,
//! category and parent), or lists its frames from the root (`stack`: texts or frame ids); `esf` and `estack` are the
//! stack at its end (Trace Event Format, "Stack traces"). Browsers also list JavaScript frames in payloads, innermost
//! first (`stackTrace`).
//!
//! The frame table may be as large as the recording, so a [`FrameTable`] contains only offsets. It is built when a
//! stack is first shown.

use rayon::prelude::*;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};

use super::members::members_at;
use crate::{LocalMarker, Profile, Source, Thread, ThreadId};
use flowline_json::{Cursor, Value, decode_value};

/// Maximum number of frames per stack; further frames are omitted.
pub const MAX_FRAMES: usize = 500;

/// One frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackFrame {
    /// Function or other name.
    pub name: String,
    /// Category, or location in the script; empty if unknown.
    pub place: String,
}

/// One stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackTrace {
    /// Title; empty for the stack of the event itself.
    pub title: String,
    /// True if it was captured at the end of the slice.
    pub at_end: bool,
    /// Frames, innermost first; at most [`MAX_FRAMES`].
    pub frames: Vec<StackFrame>,
    /// True if frames were omitted.
    pub is_cut: bool,
}

/// Offsets of the frames in the recording's frame table, by id.
#[derive(Clone, Debug, Default)]
pub struct FrameTable {
    /// Hash of the id and offset of the key, ascending.
    places: Vec<(u64, u64)>,
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(id.as_bytes());
    hasher.finish()
}

impl FrameTable {
    /// Reads the ids of all frames. The table is empty if the recording has none.
    #[must_use]
    pub fn build(profile: &Profile) -> Self {
        let mut table = Self::default();
        let Some(mut cursor) = profile.part("stackFrames") else { return table };
        if cursor.enter_object().is_err() {
            return table;
        }
        while let Ok(Some(key)) = cursor.next_key() {
            table.places.push((hash(&key.decode()), key.offset as u64));
            if cursor.skip_value().is_err() {
                break;
            }
        }
        table.places.sort_unstable();
        table
    }

    /// The frame with an id; the last one if the id repeats.
    fn frame(&self, source: &Source, id: &str) -> Option<Value> {
        let hash = hash(id);
        let after = self.places.partition_point(|(other, _)| *other <= hash);
        let same = self.places[..after].iter().rev().take_while(|(other, _)| *other == hash);
        for (_, place) in same {
            let mut cursor = source.cursor_at(*place)?;
            if cursor.next_key().ok()??.decode() == id {
                return decode_value(&mut cursor).ok().filter(|frame| matches!(frame, Value::Object(_)));
            }
        }
        None
    }

    /// The stack from a frame to the root.
    fn stack(&self, source: &Source, innermost: &str) -> StackTrace {
        let mut trace = StackTrace::default();
        let (mut seen, mut next) = (HashSet::new(), Some(innermost.to_owned()));
        while let Some(id) = next {
            let Some(frame) = self.frame(source, &id) else { break };
            next = frame.get("parent").and_then(id_text);
            // A cycle means that the table is damaged.
            if !seen.insert(id) {
                break;
            }
            if trace.frames.len() == MAX_FRAMES {
                trace.is_cut = true;
                break;
            }
            trace.frames.push(table_frame(&frame));
        }
        trace
    }
}

fn table_frame(frame: &Value) -> StackFrame {
    StackFrame { name: text_of(frame, "name"), place: text_of(frame, "category") }
}

/// The id in a value: text or a number.
fn id_text(value: &Value) -> Option<String> {
    matches!(value, Value::String(_) | Value::Int(_)).then(|| value.display_js())
}

fn text_of(value: &Value, key: &str) -> String {
    value.get(key).filter(|text| !text.is_null() && !text.is_nested()).map(Value::display_js).unwrap_or_default()
}

/// A reference to a stack.
#[derive(Clone, Debug, PartialEq)]
enum StackRef {
    /// The id of the innermost frame.
    Id(String),
    /// Frames, starting at the root: texts or ids.
    List(Vec<Value>),
    /// Script frames, innermost first.
    Script(Vec<Value>),
}

/// The stacks that an event refers to: a reference, with a flag for stacks at the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StackRefs {
    refs: Vec<(bool, StackRef)>,
}

impl StackRefs {
    /// True if there are no references.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.refs.is_empty()
    }

    /// True if the frame table is needed to resolve the references.
    #[must_use]
    #[inline]
    pub fn need_table(&self) -> bool {
        self.refs.iter().any(|(_, stack)| !matches!(stack, StackRef::Script(_)))
    }

    fn add_event(&mut self, members: Vec<(String, Value)>) {
        // A marker keeps only its end event if the other one states nothing.
        let is_end = members.iter().any(|(key, value)| key == "ph" && matches!(value.as_str(), Some("E" | "e" | "F")));
        for (key, value) in members {
            let at_end = match key.as_str() {
                "sf" | "stack" => is_end,
                "esf" | "estack" => true,
                _ => continue,
            };
            let stack = match value {
                Value::List(frames) if !frames.is_empty() => StackRef::List(frames),
                value => match id_text(&value) {
                    Some(id) if !id.is_empty() => StackRef::Id(id),
                    _ => continue,
                },
            };
            self.refs.push((at_end, stack));
        }
    }

    /// Resolves the references; omits stacks without any known frame.
    #[must_use]
    pub fn resolve(&self, source: &Source, table: &FrameTable) -> Vec<StackTrace> {
        let resolve = |(at_end, stack): &(bool, StackRef)| {
            let trace = match stack {
                StackRef::Id(id) => table.stack(source, id),
                StackRef::List(frames) => listed(frames.iter().rev(), |frame| match id_text(frame) {
                    Some(text) => match table.frame(source, &text) {
                        Some(frame) => table_frame(&frame),
                        None => StackFrame { name: text, place: String::new() },
                    },
                    None => StackFrame { name: frame.preview(200), place: String::new() },
                }),
                StackRef::Script(frames) => listed(frames.iter(), script_frame),
            };
            StackTrace { at_end: *at_end, ..trace }
        };
        self.refs.iter().map(resolve).filter(|trace| !trace.frames.is_empty()).collect()
    }
}

fn listed<'a>(frames: impl ExactSizeIterator<Item = &'a Value>, name: impl Fn(&'a Value) -> StackFrame) -> StackTrace {
    let is_cut = frames.len() > MAX_FRAMES;
    StackTrace { frames: frames.take(MAX_FRAMES).map(name).collect(), is_cut, ..StackTrace::default() }
}

/// A frame in V8's form.
fn script_frame(frame: &Value) -> StackFrame {
    let name = text_of(frame, "functionName");
    let mut place = text_of(frame, "url");
    for number in ["lineNumber", "columnNumber"] {
        let number = text_of(frame, number);
        if !number.is_empty() {
            place += &format!(":{number}");
        }
    }
    StackFrame { name: if name.is_empty() { "(anonymous)".to_owned() } else { name }, place }
}

impl Profile {
    /// A cursor before the value of one of [`Profile::parts`].
    #[must_use]
    #[inline]
    pub fn part(&self, name: &str) -> Option<Cursor<'_>> {
        let (_, place) = self.parts.iter().find(|(part, _)| part == name)?;
        self.source.cursor_at(*place)
    }

    /// True if events may have stacks, which is decided by the text alone.
    #[must_use]
    pub fn may_have_event_stacks(&self) -> bool {
        // The ends of the keys `sf`, `esf`, `stack` and `estack`; keys may contain escapes.
        const ENDS: [&[u8]; 3] = [b"sf\"", b"stack\"", b"\\u"];
        const PIECE: usize = 1 << 22;
        const OVERLAP: usize = 8;
        if let Some(events) = self.source.events() {
            return events.has_stacks();
        }
        if !self.source.holds_events() {
            return false;
        }
        let text = self.source.bytes();
        let holds = |piece: usize| {
            let part = &text[piece * PIECE..text.len().min((piece + 1) * PIECE + OVERLAP)];
            ENDS.iter().any(|end| memchr::memmem::find(part, end).is_some())
        };
        (0..text.len().div_ceil(PIECE)).into_par_iter().with_max_len(1).any(holds)
    }

    /// The stacks that a marker's events refer to; empty if the input format has no events.
    #[must_use]
    pub fn event_stack_refs(&self, thread: ThreadId, marker: LocalMarker) -> StackRefs {
        let mut refs = StackRefs::default();
        let Some(events) = self.events_of(thread, marker) else { return refs };
        refs.add_event(members_at(&self.source, events.first));
        if let Some(end) = events.end {
            refs.add_event(members_at(&self.source, end));
        }
        refs
    }

    /// Number of markers whose events refer to a stack.
    #[must_use]
    pub fn event_stacks(&self) -> usize {
        if !self.may_have_event_stacks() {
            return 0;
        }
        let of_thread = |(id, thread): (ThreadId, &Thread)| {
            let markers = (0..thread.markers.len()).into_par_iter().map(LocalMarker::new);
            markers.filter(|marker| !self.event_stack_refs(id, *marker).is_empty()).count()
        };
        self.threads_with_ids().map(of_thread).sum()
    }

    /// The stacks that a marker's events and payload refer to; empty if the input format has no events.
    #[must_use]
    pub fn stack_refs(&self, thread: ThreadId, marker: LocalMarker, payload: &Value) -> StackRefs {
        let mut refs = self.event_stack_refs(thread, marker);
        if !self.source.holds_events() {
            return refs;
        }
        let holders = ["data", "beginData", "endData"].map(|key| (key == "endData", payload.get(key)));
        for (at_end, holder) in std::iter::once((false, Some(payload))).chain(holders) {
            if let Some(Value::List(frames)) = holder.and_then(|holder| holder.get("stackTrace"))
                && frames.iter().any(|frame| frame.get("functionName").is_some())
            {
                refs.refs.push((at_end, StackRef::Script(frames.clone())));
            }
        }
        refs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAMES: &str = r#"{"1":{"name":"main","category":"app"},"2":{"name":"load","parent":1},
        "3":{"name":"parse","category":"js","parent":"2"},"8":{"name":"ping","parent":"9"},"9":{"name":"pong","parent":8},"4":17}"#;

    fn profile(frames: &str) -> Profile {
        Profile {
            source: Source::new(frames.as_bytes().to_vec()).with_member("args"),
            parts: vec![("stackFrames".to_owned(), 0)],
            ..Profile::default()
        }
    }

    fn refs(event: &str) -> StackRefs {
        let Ok(Value::Object(members)) = decode_value(&mut Cursor::at(event.as_bytes(), 0)) else { panic!("{event}") };
        let mut refs = StackRefs::default();
        refs.add_event(members);
        refs
    }

    fn told(event: &str) -> Vec<(bool, String)> {
        let profile = profile(FRAMES);
        let stacks = refs(event).resolve(&profile.source, &FrameTable::build(&profile));
        let line = |trace: &StackTrace| {
            let frames = trace.frames.iter().map(|frame| format!("{} {}", frame.name, frame.place).trim().to_owned());
            frames.collect::<Vec<_>>().join(" < ")
        };
        stacks.iter().map(|trace| (trace.at_end, line(trace))).collect()
    }

    #[test]
    fn frames_lead_to_the_root() {
        assert_eq!(told(r#"{"sf":3}"#), [(false, "parse js < load < main app".to_owned())]);
        assert_eq!(told(r#"{"sf":"2","esf":"1"}"#), [(false, "load < main app".into()), (true, "main app".into())]);
    }

    #[test]
    fn listed_frames_are_reversed() {
        let expected = "leaf < parse js < main app";
        assert_eq!(told(r#"{"stack":["1",3,"leaf"]}"#), [(false, expected.to_owned())]);
        assert_eq!(told(r#"{"estack":[{"odd":1}]}"#), [(true, "{odd: 1}".to_owned())]);
    }

    #[test]
    fn damage_ends_a_stack() {
        assert_eq!(told(r#"{"sf":8}"#), [(false, "ping < pong".to_owned())], "a cycle");
        for none in [r#"{"sf":77}"#, r#"{"sf":4}"#, r#"{"sf":""}"#, r#"{"sf":null,"stack":[]}"#, r#"{"stack":{"a":1}}"#]
        {
            assert_eq!(told(none), [], "{none}");
        }
        let cut = profile("{\"1\":{\"name\":\"a\"},\"2\":{\"na");
        let traces = refs(r#"{"sf":1}"#).resolve(&cut.source, &FrameTable::build(&cut));
        assert_eq!(traces[0].frames[0].name, "a", "intact frames are kept");
    }

    #[test]
    fn very_deep_stacks_are_cut() {
        let frame = |at: usize| format!("\"{at}\":{{\"name\":\"f{at}\",\"parent\":{}}}", at + 1);
        let frames: Vec<String> = (0..20_000).map(frame).collect();
        let profile = profile(&format!("{{{}}}", frames.join(",")));
        let traces = refs(r#"{"sf":0}"#).resolve(&profile.source, &FrameTable::build(&profile));
        assert_eq!((traces[0].frames.len(), traces[0].is_cut), (MAX_FRAMES, true));
    }

    #[test]
    fn script_frames_have_a_location() {
        let frame = Value::Object(vec![
            ("functionName".into(), Value::String(String::new())),
            ("url".into(), Value::String("a.js".into())),
            ("lineNumber".into(), Value::Int(12)),
        ]);
        assert_eq!(script_frame(&frame), StackFrame { name: "(anonymous)".into(), place: "a.js:12".into() });
    }
}
