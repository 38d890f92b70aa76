//! A CPU profile, or a chunk of one, as parsed. Every member may be missing.
//!
//! Nodes form a list, in which each node has the id of its parent or the ids of its children. Older programs nest the
//! nodes below `head`, or write the function's location on the node itself.

use super::annotations::Annotations;
use super::call_frame::CallFrame;
use super::numbers::{Number, numbers};
use crate::scalar::scalar;
use flowline_json::{Cursor, JsonError, Kind};
use flowline_profile::samples::NONE;
use flowline_profile::{Ns, Unit, WarningKind, Warnings, parse_decimal};

/// Initiator of the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Recorder {
    /// The browser's tracing.
    Internal,
    /// A debugger.
    Inspector,
    /// Something else, or unknown.
    #[default]
    Other,
}

/// The parent of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Parent {
    /// Not stated.
    #[default]
    None,
    /// By id.
    Id(u32),
    /// By index in the same list.
    At(u32),
}

/// A node as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawNode<'a> {
    /// [`NONE`] if the node has no id.
    pub(super) id: u32,
    pub(super) parent: Parent,
    /// Index in the annotations; [`NONE`] without one.
    location: u32,
    pub(super) call: CallFrame<'a>,
}

/// A profile or a part of one.
#[derive(Debug, Default)]
pub(crate) struct ProfilePart<'a> {
    pub(super) nodes: Vec<RawNode<'a>>,
    /// The id of a child, and the index of its parent in `nodes`.
    pub(super) children: Vec<(u32, u32)>,
    /// Node ids; [`NONE`] for values that are not ids.
    pub(super) samples: Vec<u32>,
    pub(super) deltas: Vec<Ns>,
    /// Times of samples on the profile's clock, which older programs write instead of deltas.
    pub(super) timestamps: Vec<Ns>,
    /// Line and column in the innermost function of each sample, from 1; 0 if unknown. They may be shorter than
    /// `samples`.
    pub(super) lines: Vec<u32>,
    pub(super) columns: Vec<u32>,
    /// Ids that events refer to, and the ids of their nodes.
    pub(super) trace_ids: Vec<(u64, u32)>,
    /// The index and size in bytes of each node of a heap profile, as written.
    pub(super) sizes: Vec<(usize, &'a [u8])>,
    annotations: Annotations<'a>,
    start: &'a [u8],
    end: &'a [u8],
    /// True if the nodes are nested below `head`; start and end are then in seconds.
    is_nested: bool,
    /// True if the text ends before the profile does.
    pub(crate) is_cut: bool,
    /// Initiator of the recording.
    pub(crate) recorder: Recorder,
}

impl<'a> ProfilePart<'a> {
    /// Start and end as written.
    pub(crate) fn bounds(&self) -> [Option<Ns>; 2] {
        let unit = if self.is_nested { Unit::Seconds } else { Unit::Micros };
        [self.start, self.end].map(|text| parse_decimal(text, unit))
    }

    /// Replaces the functions of annotated nodes by those of their source files.
    pub(super) fn annotate(&mut self) {
        for node in self.nodes.iter_mut().filter(|node| node.location != NONE) {
            self.annotations.apply(node.location, &mut node.call);
        }
    }

    /// True if the part has neither nodes nor samples.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.samples.is_empty()
    }

    /// Appends the next chunk of the profile.
    pub(crate) fn append(&mut self, mut next: Self) {
        // Chunks with and without positions may alternate.
        for (own, of_next) in [(&mut self.lines, &mut next.lines), (&mut self.columns, &mut next.columns)] {
            of_next.truncate(next.samples.len());
            if !of_next.is_empty() && !self.samples.is_empty() {
                own.resize(self.samples.len(), 0);
            }
        }
        if self.is_empty() && self.deltas.is_empty() && self.trace_ids.is_empty() {
            *self = Self { recorder: self.recorder.min(next.recorder), ..next };
            return;
        }
        let base = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        let moved = |node: RawNode<'a>| match node.parent {
            Parent::At(parent) => RawNode { parent: Parent::At(parent.saturating_add(base)), ..node },
            _ => node,
        };
        self.nodes.extend(next.nodes.into_iter().map(moved));
        self.children.extend(next.children.into_iter().map(|(child, parent)| (child, parent.saturating_add(base))));
        self.lines.extend(next.lines);
        self.columns.extend(next.columns);
        self.samples.extend(next.samples);
        self.deltas.extend(next.deltas);
        self.timestamps.extend(next.timestamps);
        self.trace_ids.extend(next.trace_ids);
        self.recorder = self.recorder.min(next.recorder);
    }

    /// Reads the object at the cursor: a profile, or an object with a profile as its member `cpuProfile`.
    ///
    /// # Errors
    /// If the text is damaged; everything before the damage has been read.
    pub(crate) fn read(&mut self, cursor: &mut Cursor<'a>, warnings: &mut Warnings) -> Result<(), JsonError> {
        cursor.enter_object()?;
        let mut is_inside = false;
        loop {
            let Some(key) = cursor.next_key()? else {
                if !std::mem::replace(&mut is_inside, false) {
                    return Ok(());
                }
                continue;
            };
            if key.bytes == b"cpuProfile" && !is_inside && cursor.peek()? == Kind::Object {
                cursor.enter_object()?;
                is_inside = true;
                continue;
            }
            match self.member(key.bytes, cursor, warnings) {
                Err(error) if error.is_wrong_type() => {
                    // A null is equivalent to a missing member.
                    if Cursor::at(cursor.text(), error.offset).peek() != Ok(Kind::Null) {
                        let what = || format!("{} of the CPU profile at byte {}", key.decode(), error.offset);
                        warnings.add(WarningKind::WrongType, what);
                    }
                }
                read => read?,
            }
        }
    }

    /// Reads the value of a member.
    pub(super) fn member(
        &mut self,
        key: &[u8],
        cursor: &mut Cursor<'a>,
        warnings: &mut Warnings,
    ) -> Result<(), JsonError> {
        let at = cursor.offset();
        let mut damaged = 0;
        match key {
            b"nodes" => return self.nodes(cursor, warnings),
            b"head" => {
                self.is_nested = true;
                return self.node(cursor);
            }
            b"samples" => numbers(cursor, |number| {
                damaged += u64::from(number.id().is_none());
                self.samples.push(number.id().unwrap_or(NONE));
            })?,
            b"timeDeltas" => times(cursor, &mut self.deltas, &mut damaged)?,
            b"timestamps" => times(cursor, &mut self.timestamps, &mut damaged)?,
            b"lines" => numbers(cursor, |number| self.lines.push(number.id().unwrap_or(0)))?,
            b"columns" => numbers(cursor, |number| self.columns.push(number.id().unwrap_or(0)))?,
            b"trace_ids" => return self.trace_ids(cursor),
            b"$vscode" => return self.annotations.read(cursor),
            b"locations" => return self.annotations.locations(cursor),
            b"startTime" => self.start = scalar(cursor)?.map_or(&[], |raw| raw.bytes),
            b"endTime" => self.end = scalar(cursor)?.map_or(&[], |raw| raw.bytes),
            b"source" => {
                self.recorder = match scalar(cursor)?.map(|raw| raw.bytes) {
                    Some(b"Internal") => Recorder::Internal,
                    Some(b"Inspector") => Recorder::Inspector,
                    _ => Recorder::Other,
                };
            }
            _ => cursor.skip_value()?,
        }
        let what = || format!("{} of the CPU profile at byte {at}", String::from_utf8_lossy(key));
        warnings.add_many(WarningKind::WrongType, damaged, what);
        Ok(())
    }

    fn trace_ids(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let id = std::str::from_utf8(&key.text()).ok().and_then(|text| text.parse().ok());
            let node = scalar(cursor)?.and_then(|raw| Number::Text(raw.bytes).id());
            self.trace_ids.extend(id.zip(node));
        }
        Ok(())
    }

    fn nodes(&mut self, cursor: &mut Cursor<'a>, warnings: &mut Warnings) -> Result<(), JsonError> {
        cursor.enter_array()?;
        while cursor.next_element()? {
            match self.node(cursor) {
                Err(error) if error.is_wrong_type() => {
                    warnings.add(WarningKind::WrongType, || format!("the node at byte {}", error.offset));
                }
                read => read?,
            }
        }
        Ok(())
    }

    /// Reads the node at the cursor and the nodes nested in it, to any depth.
    fn node(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        cursor.enter_object()?;
        // The open nodes, innermost last; true for each node whose call frame has been read.
        let mut open = vec![(self.push(Parent::None), false)];
        while let Some((at, has_frame)) = open.last_mut() {
            let Some(key) = cursor.next_key()? else {
                open.pop();
                self.next_child(cursor, &mut open)?;
                continue;
            };
            let node = &mut self.nodes[*at];
            match key.bytes {
                b"id" => node.id = id(cursor)?.unwrap_or(NONE),
                b"locationId" => node.location = id(cursor)?.unwrap_or(NONE),
                b"parent" => {
                    if let Some(parent) = id(cursor)? {
                        node.parent = Parent::Id(parent);
                    }
                }
                b"selfSize" => {
                    let size = scalar(cursor)?.map(|raw| (*at, raw.bytes));
                    self.sizes.extend(size);
                }
                b"callFrame" if cursor.peek()? == Kind::Object => {
                    *has_frame = true;
                    node.call = CallFrame::read(cursor)?;
                }
                b"children" if cursor.peek()? == Kind::Array => {
                    cursor.enter_array()?;
                    self.next_child(cursor, &mut open)?;
                }
                _ if *has_frame => cursor.skip_value()?,
                key => node.call.member(key, 1, cursor)?,
            }
        }
        Ok(())
    }

    fn push(&mut self, parent: Parent) -> usize {
        self.nodes.push(RawNode { id: NONE, parent, location: NONE, call: CallFrame::UNKNOWN });
        self.nodes.len() - 1
    }

    /// Continues the child list of the innermost open node: opens the next child, or reads the list to its end.
    fn next_child(&mut self, cursor: &mut Cursor<'a>, open: &mut Vec<(usize, bool)>) -> Result<(), JsonError> {
        let Some((parent, _)) = open.last() else { return Ok(()) };
        let parent = u32::try_from(*parent).unwrap_or(NONE);
        while cursor.next_element()? {
            if cursor.peek()? == Kind::Object {
                cursor.enter_object()?;
                open.push((self.push(Parent::At(parent)), false));
                return Ok(());
            }
            self.children.extend(id(cursor)?.map(|child| (child, parent)));
        }
        Ok(())
    }
}

/// Reads a list of times in microseconds; values that are not times count as 0.
fn times(cursor: &mut Cursor<'_>, list: &mut Vec<Ns>, damaged: &mut u64) -> Result<(), JsonError> {
    numbers(cursor, |number| {
        let time = match number {
            Number::Small(micros) => Some(Ns(i64::from(micros) * 1000)),
            Number::Text(text) => parse_decimal(text, Unit::Micros),
        };
        *damaged += u64::from(time.is_none());
        list.push(time.unwrap_or_default());
    })
}

fn id(cursor: &mut Cursor<'_>) -> Result<Option<u32>, JsonError> {
    Ok(scalar(cursor)?.and_then(|raw| Number::Text(raw.bytes).id()))
}
