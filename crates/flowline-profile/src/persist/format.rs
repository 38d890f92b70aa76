//! Serialization to a file whose columns are borrowed from its memory map when it is read.
//!
//! A type lists its fields once, with `persist!`. Both the writer and the reader are generated from that list, so they
//! cannot diverge, and a missing field or variant does not compile. [`Column`]s become aligned sections that are
//! borrowed when read; everything else is small and follows the sections. The caller verifies checksums. The reader
//! checks every length, so a truncated or unrelated file results in `None`, never in a panic.

use std::any::Any;
use std::collections::HashMap;
use std::io::{Result, Write};
use std::sync::Arc;

use bytemuck::Pod;

use crate::columns::{Column, SharedBytes};

/// A type that can be written and read back.
pub trait Persist: Sized {
    /// Writes the value.
    ///
    /// # Errors
    /// When the file cannot be written.
    fn write(&self, to: &mut Writer<'_>) -> Result<()>;

    /// Reads a value; `None` if the bytes are invalid.
    fn read(from: &mut Reader<'_>) -> Option<Self>;
}

/// Sections of at least this size in bytes are aligned to [`WIDE`].
const LARGE: usize = 4096;
/// Alignment of large sections: a cache line.
const WIDE: u64 = 64;
/// Padding between sections.
const GAP: [u8; 64] = [0; 64];
/// Alignment of small sections: that of the widest number.
const NARROW: u64 = 8;

/// Padding between an offset and the section of `bytes` bytes that follows.
const fn gap(place: u64, bytes: usize) -> u64 {
    let boundary = if bytes >= LARGE { WIDE } else { NARROW };
    (boundary - place % boundary) % boundary
}

/// Sizes of the parts of a written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Size of the columns in bytes; the small parts follow.
    pub columns: u64,
    /// Size of the small parts in bytes.
    pub small: u64,
}

/// Writes columns immediately and collects the small parts.
pub struct Writer<'w> {
    out: &'w mut dyn Write,
    place: u64,
    small: Vec<u8>,
    /// Numbers of shared items (`Arc`) by address; each is written only once.
    pub(super) shared: HashMap<usize, u64>,
}

impl<'w> Writer<'w> {
    /// A writer at the start of a file.
    #[inline]
    pub fn new(out: &'w mut dyn Write) -> Self {
        Self { out, place: 0, small: Vec::new(), shared: HashMap::new() }
    }

    /// Writes the small parts after the columns.
    ///
    /// # Errors
    /// When the file cannot be written.
    #[inline]
    pub fn finish(self) -> Result<Written> {
        self.out.write_all(&self.small)?;
        Ok(Written { columns: self.place, small: self.small.len() as u64 })
    }

    /// Writes a number as LEB128: seven bits per byte, lowest first.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.small.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.small.push(number.to_le_bytes()[0]);
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.small.extend_from_slice(bytes);
    }

    /// Writes a column.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn column<T: Pod>(&mut self, items: &[T]) -> Result<()> {
        self.number(items.len() as u64);
        let bytes: &[u8] = bytemuck::cast_slice(items);
        let gap = gap(self.place, bytes.len());
        self.out.write_all(&GAP[..usize::try_from(gap).unwrap_or(0)])?;
        self.out.write_all(bytes)?;
        self.place += gap + bytes.len() as u64;
        Ok(())
    }
}

/// Reads in the order of writing.
pub struct Reader<'r> {
    bytes: &'r SharedBytes,
    /// Start of the next column's section, before its padding.
    place: u64,
    /// Remaining small parts.
    pub(super) small: &'r [u8],
    pub(super) shared: Vec<Arc<dyn Any + Send + Sync>>,
}

impl<'r> Reader<'r> {
    /// A reader; `None` if the bytes are too short.
    #[must_use]
    #[inline]
    pub fn new(bytes: &'r SharedBytes, written: Written) -> Option<Self> {
        let (columns, small) = (usize::try_from(written.columns).ok()?, usize::try_from(written.small).ok()?);
        let small = (**bytes).as_ref().get(columns..columns.checked_add(small)?)?;
        Some(Self { bytes, place: 0, small, shared: Vec::new() })
    }

    /// Reads a number that was written by [`Writer::number`].
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.small.split_first()?;
            self.small = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(super) fn bytes(&mut self) -> Option<&'r [u8]> {
        let length = self.length()?;
        let (bytes, rest) = self.small.split_at_checked(length)?;
        self.small = rest;
        Some(bytes)
    }

    /// Reads a column that was written by [`Writer::column`]; it borrows the bytes.
    pub fn column<T: Pod>(&mut self) -> Option<Column<T>> {
        let bytes = self.length()?.checked_mul(size_of::<T>())?;
        let first = self.place.checked_add(gap(self.place, bytes))?;
        self.place = first.checked_add(bytes as u64)?;
        Column::shared(Arc::clone(self.bytes), usize::try_from(first).ok()?..usize::try_from(self.place).ok()?)
    }
}

/// Implements [`Persist`] from a list of a type's fields.
///
/// `persist!(Name { field, ... })`; fields after a semicolon are not written and are set to `Default` when read.
/// `persist!(Name(part, ...))` for tuples;
/// `persist!(enum Name { 0 => Plain, 1 => Tuple(part), 2 => Braces { field } })` for enums, written as these numbers.
#[macro_export]
macro_rules! persist {
    (@read $from:ident $part:ident) => { $crate::persist::Persist::read($from)? };
    ($name:ident { $($field:ident),* $(,)? $(; $($fresh:ident),*)? }) => {
        impl $crate::persist::Persist for $name {
            fn write(&self, to: &mut $crate::persist::Writer<'_>) -> std::io::Result<()> {
                let Self { $($field,)* $($($fresh: _,)*)? } = self;
                $($crate::persist::Persist::write($field, to)?;)*
                Ok(())
            }

            fn read(from: &mut $crate::persist::Reader<'_>) -> Option<Self> {
                Some(Self {
                    $($field: $crate::persist::Persist::read(from)?,)*
                    $($($fresh: Default::default(),)*)?
                })
            }
        }
    };
    ($name:ident ( $($part:ident),* )) => {
        impl $crate::persist::Persist for $name {
            fn write(&self, to: &mut $crate::persist::Writer<'_>) -> std::io::Result<()> {
                let Self($($part),*) = self;
                $($crate::persist::Persist::write($part, to)?;)*
                Ok(())
            }

            fn read(from: &mut $crate::persist::Reader<'_>) -> Option<Self> {
                Some(Self($($crate::persist::persist!(@read from $part)),*))
            }
        }
    };
    (enum $name:ident { $($number:literal => $variant:ident $(($($part:ident),*))? $({ $($field:ident),* })?),* $(,)? }) => {
        impl $crate::persist::Persist for $name {
            fn write(&self, to: &mut $crate::persist::Writer<'_>) -> std::io::Result<()> {
                match self {
                    $(Self::$variant $(($($part),*))? $({ $($field),* })? => {
                        to.number($number);
                        $($($crate::persist::Persist::write($part, to)?;)*)?
                        $($($crate::persist::Persist::write($field, to)?;)*)?
                    })*
                }
                Ok(())
            }

            fn read(from: &mut $crate::persist::Reader<'_>) -> Option<Self> {
                Some(match from.number()? {
                    $($number => Self::$variant
                        $(($($crate::persist::persist!(@read from $part)),*))?
                        $({ $($field: $crate::persist::persist!(@read from $field)),* })?,)*
                    _ => return None,
                })
            }
        }
    };
}
pub use persist;
