//! The binary container JSLB ("JSON slabs"): a JSON text in which `{"$s":N}` refers to slab N, a typed array or another
//! JSON text. Payloads remain byte offsets into the whole file, so nothing is copied.

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use json_slabs::{FIXED_HEADER_SIZE, Header, ParseError, SLAB_TABLE_ENTRY_SIZE, SlabTableEntry, SlabType};
use memchr::memchr2;

use crate::error::ImportError;
use flowline_json::{Cursor, JsonError, Kind};
use flowline_profile::{Ns, WarningKind, Warnings};

/// First bytes of a container.
pub(in crate::firefox) const MAGIC: [u8; 8] = [0xdc, 0xdf, 0x4a, 0x53, 0x4c, 0x42, 0x01, 0x00];

/// One slab: its bytes, its offset in the file, and its type.
#[derive(Clone, Copy, Debug)]
pub(in crate::firefox) struct Slab<'a> {
    bytes: &'a [u8],
    offset: usize,
    kind: SlabType,
}

/// The slabs of a container; empty for plain JSON.
#[derive(Debug, Default)]
pub(in crate::firefox) struct Slabs<'a> {
    file: &'a [u8],
    slabs: Vec<Slab<'a>>,
    root: usize,
    /// Bytes of slabs that may still be read. A regular file refers to each slab once; a hostile one could refer to a
    /// large slab a million times. References beyond the budget count as values of the wrong type.
    budget: AtomicU64,
}

/// Average number of reads allowed per slab; readers look ahead a few times.
const MAX_READS: u64 = 16;

impl<'a> Slabs<'a> {
    /// Reads the container's directory. Slabs of a truncated file keep the bytes that are left.
    pub(in crate::firefox) fn parse(file: &'a [u8], warnings: &mut Warnings) -> Result<Self, ImportError> {
        let damaged = |error: ParseError| ImportError::Unpack { format: "JSLB", error: error.to_string() };
        let header = Header::parse(file).map_err(damaged)?;
        let table = file.get(FIXED_HEADER_SIZE..).unwrap_or_default();
        let entries = table.chunks_exact(SLAB_TABLE_ENTRY_SIZE).take(header.slab_count);
        let slabs: Vec<Slab<'a>> = entries
            .enumerate()
            .map(|(index, entry)| match SlabTableEntry::parse(entry, index) {
                Ok(entry) => clipped(file, &entry, index, warnings),
                Err(error) => {
                    warnings.add(WarningKind::WrongType, || format!("directory of the container: {error}"));
                    Slab { bytes: &[], offset: 0, kind: SlabType::Uint8 }
                }
            })
            .collect();
        if slabs.len() <= header.root_json_slab_index {
            return Err(damaged(ParseError::SlabTableOverrun));
        }
        let budget = AtomicU64::new((file.len() as u64).saturating_add(1 << 16).saturating_mul(MAX_READS));
        Ok(Self { file, slabs, root: header.root_json_slab_index, budget })
    }

    /// Deducts the bytes of a slab from the budget; `false` if they exceed it.
    fn spend(&self, slab: &Slab<'a>) -> bool {
        let cost = slab.bytes.len() as u64 + 16;
        let reduce = |left: u64| left.checked_sub(cost);
        self.budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, reduce).is_ok()
    }

    /// A cursor at the root JSON text.
    pub(in crate::firefox) fn root(&self) -> Option<Cursor<'a>> {
        self.slabs.get(self.root).map(|slab| self.cursor(slab))
    }

    fn cursor(&self, slab: &Slab<'a>) -> Cursor<'a> {
        let end = (slab.offset + slab.bytes.len()).min(self.file.len());
        Cursor::at(&self.file[..end], slab.offset)
    }

    /// Converts the container to one plain JSON text: numbers are written out, and texts replace the references to
    /// them. Slabs that are damaged or nested too deeply become null.
    pub(in crate::firefox) fn to_json(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.file.len());
        match self.slabs.get(self.root) {
            Some(root) => self.write_text(root, 0, &mut out),
            None => out.extend(b"null"),
        }
        out
    }

    /// Appends a slab as a JSON value.
    fn write_slab(&self, slab: &Slab<'a>, depth: usize, out: &mut Vec<u8>) {
        if slab.is_json() && (depth > MAX_DEPTH || self.cursor(slab).skip_value().is_err()) {
            out.extend(b"null");
        } else if slab.is_json() {
            self.write_text(slab, depth, out);
        } else {
            slab.write_numbers(out);
        }
    }

    /// Appends the text of a slab, with other slabs in place of references to them.
    fn write_text(&self, slab: &Slab<'a>, depth: usize, out: &mut Vec<u8>) {
        let end = (slab.offset + slab.bytes.len()).min(self.file.len());
        let text = &self.file[..end];
        let (mut at, mut copied, mut is_string) = (slab.offset, slab.offset, false);
        let next = |at: usize, is_string: bool| {
            let rest = text.get(at..).unwrap_or_default();
            let found = if is_string { memchr2(b'"', b'\\', rest) } else { memchr2(b'"', b'{', rest) };
            found.map(|found| at + found)
        };
        while let Some(place) = next(at, is_string) {
            at = place + 1;
            match text[place] {
                b'"' => is_string = !is_string,
                b'\\' => at += 1,
                _ => {
                    let mut cursor = Cursor::at(text, place);
                    let Ok(Some(other)) = self.take(&mut cursor) else { continue };
                    out.extend(&text[copied..place]);
                    self.write_slab(&other, depth + 1, out);
                    (at, copied) = (cursor.offset(), cursor.offset());
                }
            }
        }
        out.extend(text.get(copied..).unwrap_or_default());
    }

    /// If a reference comes next, consumes it and returns its slab.
    pub(in crate::firefox) fn take(&self, cursor: &mut Cursor<'a>) -> Result<Option<Slab<'a>>, JsonError> {
        if self.slabs.is_empty() || cursor.peek()? != Kind::Object {
            return Ok(None);
        }
        let mut ahead = *cursor;
        ahead.enter_object()?;
        let Some(key) = ahead.next_key()? else { return Ok(None) };
        if key.bytes != b"$s" {
            return Ok(None);
        }
        let index = std::str::from_utf8(ahead.scalar()?).ok().and_then(|text| text.parse::<usize>().ok());
        while ahead.next_key()?.is_some() {
            ahead.skip_value()?;
        }
        let slab = index.and_then(|index| self.slabs.get(index)).filter(|slab| self.spend(slab)).copied();
        if slab.is_some() {
            *cursor = ahead;
        }
        Ok(slab)
    }

    /// If a reference to a JSON slab comes next, consumes it and returns a cursor in the slab; `None` for any other
    /// value.
    pub(in crate::firefox) fn follow(&self, cursor: &mut Cursor<'a>) -> Result<Option<Cursor<'a>>, JsonError> {
        let before = *cursor;
        match self.take(cursor)? {
            Some(slab) if slab.kind == SlabType::Json => Ok(Some(self.cursor(&slab))),
            Some(_) => {
                *cursor = before;
                Ok(None)
            }
            None => Ok(None),
        }
    }
}

/// Maximum nesting of slabs that are written out; regular files have two levels.
const MAX_DEPTH: usize = 16;

/// The slab of a directory entry, clipped to the file.
fn clipped<'a>(file: &'a [u8], entry: &SlabTableEntry, index: usize, warnings: &mut Warnings) -> Slab<'a> {
    let clip = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(file.len());
    let end = entry.start_offset.saturating_add(entry.byte_length);
    if end > file.len() as u64 {
        warnings.add(WarningKind::Truncated, || format!("slab {index} of the container, byte {}", file.len()));
    }
    let offset = clip(entry.start_offset);
    Slab { bytes: file.get(offset..clip(end)).unwrap_or_default(), offset, kind: entry.slab_type }
}

impl Slab<'_> {
    /// True if it contains JSON text instead of numbers.
    pub(in crate::firefox) fn is_json(&self) -> bool {
        self.kind == SlabType::Json
    }

    /// Its numbers as floats, in order; 64-bit integers beyond 2^53 are rounded.
    pub(in crate::firefox) fn numbers(&self) -> Vec<f64> {
        let size = self.kind.element_size().max(1);
        self.bytes.chunks_exact(size).map(|element| number(self.kind, element)).collect()
    }

    /// Appends its numbers as a JSON array, without rounding; null for numbers that are not finite.
    fn write_numbers(&self, out: &mut Vec<u8>) {
        let size = self.kind.element_size().max(1);
        out.push(b'[');
        for (at, element) in self.bytes.chunks_exact(size).enumerate() {
            if at > 0 {
                out.push(b',');
            }
            // Writing to memory cannot fail.
            let _infallible = match (self.kind, element.try_into()) {
                (SlabType::Int64, Ok(bytes)) => write!(out, "{}", i64::from_le_bytes(bytes)),
                (SlabType::Uint64, Ok(bytes)) => write!(out, "{}", u64::from_le_bytes(bytes)),
                _ => match number(self.kind, element) {
                    value if !value.is_finite() => write!(out, "null"),
                    // Whole numbers stay whole; long ones get an exponent.
                    value if value.fract() == 0.0 && value.abs() < 1e15 => write!(out, "{value:.0}"),
                    value => write!(out, "{value:?}"),
                },
            };
        }
        out.push(b']');
    }

    /// Its numbers as times in milliseconds; `None` for NaN.
    pub(in crate::firefox) fn times(&self) -> Vec<Option<Ns>> {
        self.numbers().into_iter().map(Ns::from_ms).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "indexes and counts; documented above")]
fn number(kind: SlabType, bytes: &[u8]) -> f64 {
    fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
        bytes.try_into().unwrap_or([0; N])
    }
    match kind {
        SlabType::Int8 => f64::from(i8::from_le_bytes(array(bytes))),
        SlabType::Uint8 => f64::from(u8::from_le_bytes(array(bytes))),
        SlabType::Int16 => f64::from(i16::from_le_bytes(array(bytes))),
        SlabType::Uint16 => f64::from(u16::from_le_bytes(array(bytes))),
        SlabType::Int32 => f64::from(i32::from_le_bytes(array(bytes))),
        SlabType::Uint32 => f64::from(u32::from_le_bytes(array(bytes))),
        SlabType::Float32 => f64::from(f32::from_le_bytes(array(bytes))),
        SlabType::Float64 => f64::from_le_bytes(array(bytes)),
        SlabType::Int64 => i64::from_le_bytes(array(bytes)) as f64,
        SlabType::Uint64 => u64::from_le_bytes(array(bytes)) as f64,
        SlabType::Json => f64::NAN,
    }
}
