//! The binary container JSLB ("JSON slabs"): a JSON text in which `{"$s":N}` stands for the slab N, a typed array or
//! another JSON text. Payload places stay byte offsets into the whole file, so nothing is copied.

use json_slabs::{ParsedFile, SlabPlaceholder, SlabType};

use super::error::ImportError;
use crate::profile::Ns;
use crate::profile::json::{Cursor, JsonError, Kind};

/// First bytes of a container.
pub(super) const MAGIC: [u8; 8] = [0xdc, 0xdf, 0x4a, 0x53, 0x4c, 0x42, 0x01, 0x00];

/// One slab: where it lies in the file and what it holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab<'a> {
    bytes: &'a [u8],
    offset: usize,
    kind: SlabType,
}

/// The slabs of a container; empty for plain JSON.
#[derive(Clone, Debug, Default)]
pub(super) struct Slabs<'a> {
    file: &'a [u8],
    slabs: Vec<Slab<'a>>,
    root: usize,
}

impl<'a> Slabs<'a> {
    /// Reads the container's directory.
    pub(super) fn parse(file: &'a [u8]) -> Result<Self, ImportError> {
        let damaged = |error: &dyn std::fmt::Display| ImportError::Unpack { format: "JSLB", error: error.to_string() };
        let parsed = ParsedFile::parse(file).map_err(|error| damaged(&error))?;
        let base = file.as_ptr() as usize;
        let slabs = (0..parsed.slabs().len())
            .map(|index| {
                let slab = parsed.slab_at(SlabPlaceholder(index)).map_err(|error| damaged(&error))?;
                let offset = (slab.bytes.as_ptr() as usize).saturating_sub(base);
                Ok(Slab { bytes: slab.bytes, offset, kind: slab.slab_type })
            })
            .collect::<Result<Vec<_>, ImportError>>()?;
        Ok(Self { file, slabs, root: parsed.root_json_slab_index() })
    }

    /// A cursor at the root JSON text.
    pub(super) fn root(&self) -> Option<Cursor<'a>> {
        self.slabs.get(self.root).map(|slab| self.cursor(slab))
    }

    fn cursor(&self, slab: &Slab<'a>) -> Cursor<'a> {
        let end = (slab.offset + slab.bytes.len()).min(self.file.len());
        Cursor::at(&self.file[..end], slab.offset)
    }

    /// If a placeholder comes next, consumes it and gives its slab.
    pub(super) fn take(&self, cursor: &mut Cursor<'a>) -> Result<Option<Slab<'a>>, JsonError> {
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
        let slab = index.and_then(|index| self.slabs.get(index)).copied();
        if slab.is_some() {
            *cursor = ahead;
        }
        Ok(slab)
    }

    /// Steps from a placeholder of a JSON slab into that slab; `None` when the value stands here itself.
    pub(super) fn follow(&self, cursor: &mut Cursor<'a>) -> Result<Option<Cursor<'a>>, JsonError> {
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

impl Slab<'_> {
    /// Whether it holds JSON text, not numbers.
    pub(super) fn is_json(&self) -> bool {
        self.kind == SlabType::Json
    }

    /// Its numbers as floats, in order; 64-bit integers beyond 2^53 are rounded.
    pub(super) fn numbers(&self) -> Vec<f64> {
        let size = self.kind.element_size().max(1);
        self.bytes.chunks_exact(size).map(|element| number(self.kind, element)).collect()
    }

    /// Its numbers as times in milliseconds; NaN stands for "no time".
    pub(super) fn times(&self) -> Vec<Option<Ns>> {
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
