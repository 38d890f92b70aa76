//! The frame table of a trace (`stackFrames`: id to name, category and parent), as stacks.
//!
//! Some programs add source locations: `file`, `line` and `column` of the frame, `funcLine` and `funcColumn` of its function.

use std::borrow::Cow;

use foldhash::HashMap;

use crate::scalar::scalar;
use crate::trace_events::text::ids::NONE;
use crate::v8::{OTHER, parents_first};
use flowline_json::{Cursor, JsonError, Problem, RawString};
use flowline_profile::samples::{Frame, Func, FuncFlags, Resource, ResourceKind, ScriptSource, StackTablesBuilder};
use flowline_profile::{StackId, WarningKind, Warnings};

/// The stacks of frames by frame id.
#[derive(Debug, Default)]
pub(in crate::trace_events) struct FrameStacks<'a> {
    by_id: HashMap<Cow<'a, [u8]>, u32>,
    /// The stack of each frame.
    stacks: Vec<StackId>,
    /// Stacks by name, for samples without a frame.
    by_name: HashMap<&'a [u8], StackId>,
}

/// A parsed frame.
#[derive(Clone, Debug)]
struct RawFrame<'a> {
    name: &'a [u8],
    category: &'a [u8],
    file: &'a [u8],
    /// Id of the parent, with resolved escapes.
    parent: Cow<'a, [u8]>,
    /// Line and column of the frame, then of its function.
    place: [u32; 4],
}

impl<'a> FrameStacks<'a> {
    /// Reads the table at the cursor, if there is one. Stacks are added to `tables`.
    pub(in crate::trace_events) fn read(
        cursor: Option<Cursor<'a>>,
        tables: &mut StackTablesBuilder,
        warnings: &mut Warnings,
    ) -> Self {
        let mut table = Self::default();
        let mut frames: Vec<RawFrame<'a>> = Vec::new();
        if let Some(mut cursor) = cursor
            && let Err(error) = table.read_frames(&mut cursor, &mut frames)
            // Truncation is reported for the whole text.
            && error.problem != Problem::Truncated
        {
            let kind = if error.is_wrong_type() { WarningKind::WrongType } else { WarningKind::BrokenJson };
            warnings.add(kind, || format!("in stackFrames: {error}"));
        }
        let parents: Vec<u32> =
            frames.iter().map(|frame| table.by_id.get(&frame.parent).copied().unwrap_or(NONE)).collect();
        let no_parent = |at: &u32| parents[*at as usize] == NONE;
        let count = u32::try_from(frames.len()).unwrap_or(NONE);
        // A cycle has no root, so it is broken at its first frame.
        let first: Vec<u32> = (0..count).filter(no_parent).collect();
        let mut order = parents_first(&parents, &first);
        if order.len() < frames.len() {
            let circled = frames.len() - order.len();
            let what = || "cycles in stackFrames".to_owned();
            warnings.add_many(WarningKind::CpuSamples, circled as u64, what);
            order = parents_first(&parents, &opened(&parents, first, order));
        }
        let mut stacks: Vec<Option<StackId>> = vec![None; frames.len()];
        for at in order {
            let frame = add_frame(&frames[at as usize], tables);
            let caller = stacks.get(parents[at as usize] as usize).copied().flatten();
            stacks[at as usize] = Some(tables.stack(caller, frame));
        }
        // `order` contains every frame.
        table.stacks = stacks.into_iter().map(Option::unwrap_or_default).collect();
        table
    }

    fn read_frames(&mut self, cursor: &mut Cursor<'a>, frames: &mut Vec<RawFrame<'a>>) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(id) = cursor.next_key()? {
            match raw_frame(cursor) {
                Err(error) if error.is_wrong_type() => continue,
                frame => frames.push(frame?),
            }
            // For repeated ids the last one wins.
            self.by_id.insert(id.text(), u32::try_from(frames.len() - 1).unwrap_or(NONE));
        }
        Ok(())
    }

    /// Returns the stack of a frame by its id in the text.
    pub(in crate::trace_events) fn of(&self, id: &[u8]) -> Option<StackId> {
        let id = RawString { bytes: id, offset: 0 }.text();
        self.by_id.get(&id).and_then(|frame| self.stacks.get(*frame as usize)).copied()
    }

    /// Returns the stack of a list of frames, root first. The elements are ids of the table, or names.
    pub(in crate::trace_events) fn of_list(
        &mut self,
        list: &[&'a [u8]],
        tables: &mut StackTablesBuilder,
    ) -> Option<StackId> {
        list.iter().fold(None, |caller, text| {
            let known = self.of(text).map(|stack| tables.tables().frame[stack.index()]);
            let frame = known.unwrap_or_else(|| named_frame(text, tables));
            Some(tables.stack(caller, frame))
        })
    }

    /// Returns the stack of a single frame that only has a name.
    pub(in crate::trace_events) fn of_name(&mut self, name: &'a [u8], tables: &mut StackTablesBuilder) -> StackId {
        *self.by_name.entry(name).or_insert_with(|| {
            let frame = named_frame(name, tables);
            tables.stack(None, frame)
        })
    }
}

/// Returns roots that reach all frames: the frames without a parent, and one frame of each cycle.
fn opened(parents: &[u32], mut roots: Vec<u32>, reached: Vec<u32>) -> Vec<u32> {
    const NEW: u32 = NONE;
    // The walk that first visited each frame.
    let mut seen = vec![NEW; parents.len()];
    reached.into_iter().for_each(|at| seen[at as usize] = NONE - 1);
    for start in (0_u32..).take(parents.len()) {
        let mut at = start;
        while seen[at as usize] == NEW {
            seen[at as usize] = start;
            at = parents[at as usize];
        }
        // The walk returned to itself, so this frame is in a cycle.
        if seen[at as usize] == start {
            roots.push(at);
        }
    }
    roots
}

fn raw_frame<'a>(cursor: &mut Cursor<'a>) -> Result<RawFrame<'a>, JsonError> {
    let mut frame = RawFrame { name: &[], category: &[], file: &[], parent: Cow::Borrowed(&[]), place: [NONE; 4] };
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let number = |bytes: &[u8]| std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok()).unwrap_or(NONE);
        let place = [&b"line"[..], b"column", b"funcLine", b"funcColumn"].iter().position(|name| *name == key.bytes);
        let Some(value) = scalar(cursor)? else { continue };
        match (key.bytes, place) {
            (b"name", _) => frame.name = value.bytes,
            (b"category", _) => frame.category = value.bytes,
            (b"file", _) => frame.file = value.bytes,
            (b"parent", _) => frame.parent = value.text(),
            (_, Some(place)) => frame.place[place] = number(value.bytes),
            _ => {}
        }
    }
    Ok(frame)
}

fn add_frame(raw: &RawFrame<'_>, tables: &mut StackTablesBuilder) -> flowline_profile::FrameId {
    let name = tables.text(&text(raw.name));
    let [line, column, func_line, func_column] = raw.place;
    let resource = if raw.category.is_empty() {
        NONE
    } else {
        let name = tables.text(&text(raw.category));
        tables.resource(Resource { name, kind: ResourceKind::UNKNOWN })
    };
    let flags = if raw.category == b"JavaScript" { FuncFlags::IS_JS } else { FuncFlags::default() };
    let source = match raw.file {
        [] => NONE,
        file => {
            let (file, id) = (tables.text(&text(file)), tables.text(""));
            tables.source(ScriptSource { file, id })
        }
    };
    let func = tables.func(Func { source, resource, line: func_line, column: func_column, flags, ..Func::named(name) });
    tables.frame(Frame { line, column, category: OTHER, ..Frame::of(func) })
}

fn named_frame(name: &[u8], tables: &mut StackTablesBuilder) -> flowline_profile::FrameId {
    let name = tables.text(&text(name));
    let func = tables.func(Func::named(name));
    tables.frame(Frame { category: OTHER, ..Frame::of(func) })
}

fn text(bytes: &[u8]) -> String {
    RawString { bytes, offset: 0 }.decode()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_lead_to_the_root_and_cycles_are_broken() {
        let text =
            br#"{"3":{"name":"parse","parent":"2"},"1":{"name":"main","category":"app"},"2":{"name":"load","parent":1},
            "8":{"name":"ping","parent":"9"},"9":{"name":"pong","parent":8},"7":{"name":"tail","parent":9},
            "6":{"name":"self","parent":6},"5":{"name":"x","parent":77},"4":17}"#;
        let (mut tables, mut warnings) = (StackTablesBuilder::new(OTHER), Warnings::default());
        let mut table = FrameStacks::read(Some(Cursor::at(text, 0)), &mut tables, &mut warnings);
        let told = |stack: Option<StackId>, tables: &StackTablesBuilder| {
            let tables = tables.tables();
            let names = tables.walk(stack?).map(|stack| tables.name(tables.func(stack)).to_owned());
            Some(names.collect::<Vec<_>>().join(" < "))
        };
        let rows = [
            ("3", "parse < load < main"),
            ("5", "x"),
            ("6", "self"),
            ("8", "ping"),
            ("9", "pong < ping"),
            ("7", "tail < pong < ping"),
        ];
        for (id, expected) in rows {
            assert_eq!(told(table.of(id.as_bytes()), &tables).as_deref(), Some(expected), "{id}");
        }
        assert_eq!((table.of(b"4"), table.of(b"x")), (None, None));
        assert_eq!(warnings.count(WarningKind::CpuSamples), 4);
        let list = table.of_list(&[b"1", b"own", b"2"], &mut tables);
        assert_eq!(told(list, &tables).as_deref(), Some("load < own < main"));
        assert_eq!(
            tables.tables().resource(tables.tables().func(table.of(b"1").expect("main"))).map(|found| found.1),
            Some("app")
        );
        let name = table.of_name(b"tick", &mut tables);
        assert_eq!(table.of_name(b"tick", &mut tables), name);
        assert!(tables.finish().is_consistent());
    }
}
