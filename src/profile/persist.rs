//! Values taken apart into a file and put together again from its map.
//!
//! A type says once what it consists of, by `persist!`; writing and reading are both made from that, so they cannot drift
//! apart, and a field or variant that is left out does not compile. [`Column`]s become aligned sections that are borrowed
//! when read; everything else is small and follows after them. Whether the bytes are those that were written is for the
//! caller to check: here every length is checked, so that a cut or foreign file gives `None`, never a panic.

mod parts;

use std::any::Any;
use std::collections::HashMap;
use std::io::{Result, Write};
use std::sync::Arc;

use bytemuck::Pod;

use super::column::{Column, SharedBytes};

/// What can be written and read back.
pub trait Persist: Sized {
    /// Writes it.
    ///
    /// # Errors
    /// Those of the file.
    fn write(&self, to: &mut Writer<'_>) -> Result<()>;

    /// Reads it; `None` if this is not what was written.
    fn read(from: &mut Reader<'_>) -> Option<Self>;
}

/// Sections of at least this many bytes begin on a boundary of [`WIDE`].
const LARGE: usize = 4096;
/// Boundary of large sections: a line of the processor's cache.
const WIDE: u64 = 64;
/// What stands between sections.
const GAP: [u8; 64] = [0; 64];
/// Boundary of small sections: no number is wider.
const NARROW: u64 = 8;

/// Bytes between a place and the section of `bytes` bytes that follows it.
const fn gap(place: u64, bytes: usize) -> u64 {
    let boundary = if bytes >= LARGE { WIDE } else { NARROW };
    (boundary - place % boundary) % boundary
}

/// Where the parts of a written file stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Bytes of columns; the small parts follow.
    pub columns: u64,
    /// Bytes of small parts.
    pub small: u64,
}

/// Writes columns as it meets them, and collects the small parts.
pub struct Writer<'w> {
    out: &'w mut dyn Write,
    place: u64,
    small: Vec<u8>,
    /// Numbers of what is written once and named several times, by address.
    shared: HashMap<usize, u64>,
}

impl<'w> Writer<'w> {
    /// A writer at the beginning of a file.
    pub fn new(out: &'w mut dyn Write) -> Self {
        Self { out, place: 0, small: Vec::new(), shared: HashMap::new() }
    }

    /// Writes the small parts after the columns.
    ///
    /// # Errors
    /// Those of the file.
    pub fn finish(self) -> Result<Written> {
        self.out.write_all(&self.small)?;
        Ok(Written { columns: self.place, small: self.small.len() as u64 })
    }

    /// A number: seven bits a byte, the lowest first; all bytes but the last have the eighth bit set.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.small.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.small.push(number.to_le_bytes()[0]);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.small.extend_from_slice(bytes);
    }

    /// A column, at once, wherever it is kept.
    ///
    /// # Errors
    /// Those of the file.
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
    /// Where the next column's section begins, before its gap.
    place: u64,
    /// Small parts that are left.
    small: &'r [u8],
    shared: Vec<Arc<dyn Any + Send + Sync>>,
}

impl<'r> Reader<'r> {
    /// A reader of bytes; `None` if they are not as long as they should be.
    #[must_use]
    pub fn new(bytes: &'r SharedBytes, written: Written) -> Option<Self> {
        let (columns, small) = (usize::try_from(written.columns).ok()?, usize::try_from(written.small).ok()?);
        let small = (**bytes).as_ref().get(columns..columns.checked_add(small)?)?;
        Some(Self { bytes, place: 0, small, shared: Vec::new() })
    }

    /// As [`Writer::number`].
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

    fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn bytes(&mut self) -> Option<&'r [u8]> {
        let length = self.length()?;
        let (bytes, rest) = self.small.split_at_checked(length)?;
        self.small = rest;
        Some(bytes)
    }

    /// As [`Writer::column`]; borrows.
    pub fn column<T: Pod>(&mut self) -> Option<Column<T>> {
        let bytes = self.length()?.checked_mul(size_of::<T>())?;
        let first = self.place.checked_add(gap(self.place, bytes))?;
        self.place = first.checked_add(bytes as u64)?;
        Column::shared(Arc::clone(self.bytes), usize::try_from(first).ok()?..usize::try_from(self.place).ok()?)
    }
}

/// Says what a type consists of.
///
/// `persist!(Name { field, ... })`; fields after a semicolon are not kept, but made anew by `Default`.
/// `persist!(Name(part, ...))` for tuples; `persist!(enum Name { 0 => Plain, 1 => Tuple(part), 2 => Braces { field } })` for
/// enums, whose numbers are what is written.
macro_rules! persist {
    (@read $from:ident $part:ident) => { $crate::profile::persist::Persist::read($from)? };
    ($name:ident { $($field:ident),* $(,)? $(; $($fresh:ident),*)? }) => {
        impl $crate::profile::persist::Persist for $name {
            fn write(&self, to: &mut $crate::profile::persist::Writer<'_>) -> std::io::Result<()> {
                let Self { $($field,)* $($($fresh: _,)*)? } = self;
                $($crate::profile::persist::Persist::write($field, to)?;)*
                Ok(())
            }

            fn read(from: &mut $crate::profile::persist::Reader<'_>) -> Option<Self> {
                Some(Self {
                    $($field: $crate::profile::persist::Persist::read(from)?,)*
                    $($($fresh: Default::default(),)*)?
                })
            }
        }
    };
    ($name:ident ( $($part:ident),* )) => {
        impl $crate::profile::persist::Persist for $name {
            fn write(&self, to: &mut $crate::profile::persist::Writer<'_>) -> std::io::Result<()> {
                let Self($($part),*) = self;
                $($crate::profile::persist::Persist::write($part, to)?;)*
                Ok(())
            }

            fn read(from: &mut $crate::profile::persist::Reader<'_>) -> Option<Self> {
                Some(Self($($crate::profile::persist::persist!(@read from $part)),*))
            }
        }
    };
    (enum $name:ident { $($number:literal => $variant:ident $(($($part:ident),*))? $({ $($field:ident),* })?),* $(,)? }) => {
        impl $crate::profile::persist::Persist for $name {
            fn write(&self, to: &mut $crate::profile::persist::Writer<'_>) -> std::io::Result<()> {
                match self {
                    $(Self::$variant $(($($part),*))? $({ $($field),* })? => {
                        to.number($number);
                        $($($crate::profile::persist::Persist::write($part, to)?;)*)?
                        $($($crate::profile::persist::Persist::write($field, to)?;)*)?
                    })*
                }
                Ok(())
            }

            fn read(from: &mut $crate::profile::persist::Reader<'_>) -> Option<Self> {
                Some(match from.number()? {
                    $($number => Self::$variant
                        $(($($crate::profile::persist::persist!(@read from $part)),*))?
                        $({ $($field: $crate::profile::persist::persist!(@read from $field)),* })?,)*
                    _ => return None,
                })
            }
        }
    };
}
pub(crate) use persist;
