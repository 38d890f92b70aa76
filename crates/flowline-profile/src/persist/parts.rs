//! `Persist` for standard types and columns.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Result;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytemuck::Pod;
use compact_str::CompactString;

use super::format::{Persist, Reader, Writer};
use crate::Column;
use flowline_format::{AxisUnit, Ns, TimeRange};

crate::persist!(Ns(nanoseconds));
crate::persist!(TimeRange { start, end });
crate::persist!(enum AxisUnit { 0 => Time, 1 => Samples, 2 => Bytes, 3 => Plain });

/// Unsigned numbers.
macro_rules! numbers {
    ($($name:ident),*) => {$(
        impl Persist for $name {
            fn write(&self, to: &mut Writer<'_>) -> Result<()> {
                to.number(u64::try_from(*self).unwrap_or(u64::MAX));
                Ok(())
            }

            fn read(from: &mut Reader<'_>) -> Option<Self> {
                Self::try_from(from.number()?).ok()
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, usize);

/// Types that are stored as another type.
macro_rules! by_number {
    ($($name:ident, $value:ident => $to:expr, $number:ident => $from:expr;)*) => {$(
        impl Persist for $name {
            fn write(&self, to: &mut Writer<'_>) -> Result<()> {
                let $value = *self;
                $to.write(to)
            }

            fn read(from: &mut Reader<'_>) -> Option<Self> {
                let $number = Persist::read(from)?;
                $from
            }
        }
    )*};
}
by_number! {
    bool, value => u8::from(value), number => match number { 0_u8 => Some(false), 1 => Some(true), _ => None };
    char, value => u32::from(value), number => char::from_u32(number);
    i64, value => value.cast_unsigned(), number => Some(u64::cast_signed(number));
    f32, value => value.to_bits(), number => Some(f32::from_bits(number));
    f64, value => value.to_bits(), number => Some(f64::from_bits(number));
}

impl Persist for String {
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        to.bytes(self.as_bytes());
        Ok(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        std::str::from_utf8(from.bytes()?).ok().map(str::to_owned)
    }
}

impl Persist for CompactString {
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        to.bytes(self.as_bytes());
        Ok(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        std::str::from_utf8(from.bytes()?).ok().map(Self::new)
    }
}

impl Persist for Box<str> {
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        to.bytes(self.as_bytes());
        Ok(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        String::read(from).map(Into::into)
    }
}

/// Constants of the program: colors, member names. Texts from a file are leaked, once per distinct text.
impl Persist for &'static str {
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        to.bytes(self.as_bytes());
        Ok(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        static WORDS: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
        let text = std::str::from_utf8(from.bytes()?).ok()?;
        let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(word) = words.get(text) {
            return Some(word);
        }
        let word: &'static str = Box::leak(text.into());
        words.insert(word);
        Some(word)
    }
}

impl<T: Persist> Persist for Vec<T> {
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        to.number(self.len() as u64);
        self.iter().try_for_each(|item| item.write(to))
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let length = from.length()?;
        // A damaged length must not allocate more than the file can contain.
        let mut items = Self::with_capacity(length.min(from.small.len()));
        for _ in 0..length {
            items.push(T::read(from)?);
        }
        Some(items)
    }
}

impl<T: Persist> Persist for Option<T> {
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        self.is_some().write(to)?;
        self.iter().try_for_each(|item| item.write(to))
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(if bool::read(from)? { Some(T::read(from)?) } else { None })
    }
}

impl<T: Persist> Persist for Box<T> {
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        T::write(self, to)
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        T::read(from).map(Self::new)
    }
}

/// The value, if it is set when it is written.
impl<T: Persist> Persist for OnceLock<T> {
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        self.get().is_some().write(to)?;
        self.get().iter().try_for_each(|item| item.write(to))
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Option::<T>::read(from)?.map_or_else(Self::new, Self::from))
    }
}

impl<A: Persist, B: Persist> Persist for (A, B) {
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        self.0.write(to)?;
        self.1.write(to)
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some((A::read(from)?, B::read(from)?))
    }
}

impl<K: Persist + Ord, V: Persist> Persist for BTreeMap<K, V> {
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        to.number(self.len() as u64);
        self.iter().try_for_each(|(key, value)| {
            key.write(to)?;
            value.write(to)
        })
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        (0..from.length()?).map(|_| Persist::read(from)).collect()
    }
}

/// Written once per distinct item. Items do not nest.
impl<T: Persist + Send + Sync + 'static> Persist for Arc<T> {
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        let next = to.shared.len() as u64;
        let number = *to.shared.entry(Self::as_ptr(self).addr()).or_insert(next);
        to.number(number);
        if number == next { T::write(self, to) } else { Ok(()) }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let number = from.length()?;
        if number == from.shared.len() {
            let item = Self::new(T::read(from)?);
            from.shared.push(item);
        }
        from.shared.get(number)?.clone().downcast().ok()
    }
}

impl<T: Pod> Persist for Column<T> {
    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        to.column(self)
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        from.column()
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::Written;
    use super::*;
    use crate::SharedBytes;

    /// Page-aligned bytes, like a memory map.
    struct Page(Vec<u128>, usize);

    impl AsRef<[u8]> for Page {
        fn as_ref(&self) -> &[u8] {
            &bytemuck::cast_slice(&self.0)[..self.1]
        }
    }

    fn shared(bytes: &[u8]) -> SharedBytes {
        let mut words = vec![0_u128; bytes.len().div_ceil(16)];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Arc::new(Page(words, bytes.len()))
    }

    #[derive(Clone, Debug, Default, PartialEq)]
    enum Kind {
        #[default]
        Plain,
        Named(String, u64),
        Both {
            a: Option<Box<str>>,
            b: bool,
        },
    }
    crate::persist::persist!(enum Kind { 0 => Plain, 7 => Named(name, number), 9 => Both { a, b } });

    #[derive(Clone, Debug, Default, PartialEq)]
    struct All {
        word: &'static str,
        kinds: Vec<Kind>,
        times: Column<u64>,
        bytes: Column<u8>,
        more: Column<[u32; 4]>,
        map: BTreeMap<u16, (char, f64)>,
        table: [Option<Arc<Vec<i64>>>; 0],
        first: Arc<Vec<i64>>,
        again: Arc<Vec<i64>>,
        made: usize,
    }
    crate::persist::persist!(All { word, kinds, times, bytes, more, map, first, again; table, made });

    fn sample() -> All {
        let first = Arc::new(vec![i64::MIN, -1, 0, i64::MAX]);
        All {
            word: "teal",
            kinds: vec![Kind::Plain, Kind::Named("ä".into(), u64::MAX), Kind::Both { a: Some("x".into()), b: true }],
            times: (0..5000).collect(),
            bytes: vec![1, 2, 3].into(),
            more: vec![[1, 2, 3, 4]; 700].into(),
            map: [(3, ('→', -0.5)), (4, ('a', f64::INFINITY))].into(),
            table: [],
            again: Arc::clone(&first),
            first,
            made: 0,
        }
    }

    fn written(all: &All) -> (Vec<u8>, Written) {
        let mut file = Vec::new();
        let mut writer = Writer::new(&mut file);
        all.write(&mut writer).expect("written");
        let written = writer.finish().expect("finished");
        (file, written)
    }

    #[test]
    fn written_values_are_read_back() {
        let (file, written) = written(&sample());
        let bytes = shared(&file);
        let all = All::read(&mut Reader::new(&bytes, written).expect("long enough")).expect("read");
        assert_eq!(all, sample());
        assert!(Arc::ptr_eq(&all.first, &all.again));
        assert_eq!((all.times.heap_bytes(), all.times.shared_bytes()), (0, 40_000));
    }

    #[test]
    fn truncated_and_unrelated_bytes_are_rejected() {
        let (file, whole) = written(&sample());
        for cut in 0..whole.small {
            let bytes = shared(&file);
            let written = Written { small: cut, ..whole };
            assert_eq!(Reader::new(&bytes, written).and_then(|mut from| All::read(&mut from)), None, "{cut}");
        }
        assert!(Reader::new(&shared(&file[..file.len() - 1]), whole).is_none());
        // A changed byte results in some value or `None`, but never in a panic.
        for at in 0..whole.small {
            let mut other = file.clone();
            other[usize::try_from(whole.columns + at).expect("small")] ^= 0xff;
            let bytes = shared(&other);
            let _any = Reader::new(&bytes, whole).and_then(|mut from| All::read(&mut from));
        }
    }
}
