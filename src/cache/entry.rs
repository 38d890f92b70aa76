//! One kept index as a file.
//!
//! Columns first, each on a boundary; then the small parts; then a checksum of every block of all that; then a trailer of
//! fixed size that says whose index it is, who made it and where the parts are. The trailer comes last because only then
//! all is known: a file that was cut has none. Nothing is looked at before all checksums were compared.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::identity::Identity;
use super::sums::{self, Summing};
use crate::import::MappedFile;
use crate::index::Index;
use crate::index::flows::{FlowSetup, FlowTrack};
use crate::profile::persist::{Persist, Reader, Writer, Written, persist};
use crate::profile::{Column, Profile, SharedBytes, Source};

const MAGIC: [u8; 8] = *b"FLOWIDX\n";
/// Raised when what stands in a file, or what it means, changes.
const FORMAT: u32 = 1;
/// Numbers are written as they lie in memory.
const ORDER: u32 = u32::from_ne_bytes([1, 2, 3, 4]);

/// The end of every file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Trailer {
    magic: [u8; 8],
    format: u32,
    order: u32,
    program: u64,
    recording: Identity,
    columns: u64,
    small: u64,
    /// Hash of the blocks' checksums.
    sums: u64,
    /// Hash of the trailer up to here.
    own: u64,
}

const TRAILER: usize = size_of::<Trailer>();

impl Trailer {
    fn sum(&self) -> u64 {
        sums::hash(&bytemuck::bytes_of(self)[..TRAILER - size_of::<u64>()])
    }

    /// That of a file; `None` if it has none.
    fn of(bytes: &[u8]) -> Option<Self> {
        let trailer: Self = bytemuck::pod_read_unaligned(&bytes[bytes.len().checked_sub(TRAILER)?..]);
        (trailer.magic == MAGIC && trailer.own == trailer.sum()).then_some(trailer)
    }
}

/// Whose index an entry is, and which program's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) recording: Identity,
    pub(super) program: u64,
}

/// Where the text that payloads point into is found again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// It is the recording.
    Recording,
    /// In the entry: the recording is packed.
    Inside,
    /// In a file beside the entry.
    Beside(Identity),
}
persist!(enum Text { 0 => Recording, 1 => Inside, 2 => Beside(identity) });

/// Where the files are that an entry belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Files<'a> {
    pub(super) recording: &'a Path,
    /// The unpacked text beside the entry, if there is one.
    pub(super) text: &'a Path,
}

/// What is kept of a recording.
#[derive(Debug)]
pub struct Found {
    /// Profile and index.
    pub index: Index,
    /// What rules made of it: flows as tracks.
    pub tracks: Vec<FlowTrack>,
    /// Those rules, in any words that are theirs alone.
    pub rules: String,
    /// Bytes of the map that all of it borrows from.
    pub bytes: u64,
}

/// What is to be kept of a recording.
#[derive(Clone, Copy, Debug)]
pub struct Keep<'a> {
    /// Profile and index.
    pub index: &'a Index,
    /// What rules made of it.
    pub setup: &'a FlowSetup,
    /// Those rules, in any words that are theirs alone.
    pub rules: &'a str,
}

/// Writes what is to be kept; gives back the number of bytes.
pub(super) fn write(
    out: &mut impl Write,
    key: Key,
    (files, text): (Files<'_>, &Text),
    keep: Keep<'_>,
    limit: u64,
) -> std::io::Result<u64> {
    let mut summing = Summing::new(out, limit);
    let profile = keep.index.profile();
    let mut writer = Writer::new(&mut summing);
    files.recording.to_string_lossy().into_owned().write(&mut writer)?;
    text.write(&mut writer)?;
    if *text == Text::Inside {
        writer.column(profile.source.bytes())?;
    }
    profile.source.member().write(&mut writer)?;
    Profile::write(profile, &mut writer)?;
    keep.index.write(&mut writer)?;
    keep.setup.tracks.write(&mut writer)?;
    keep.rules.to_owned().write(&mut writer)?;
    let Written { columns, small } = writer.finish()?;
    let (out, sums) = summing.finish()?;
    let sums: &[u8] = bytemuck::cast_slice(&sums);
    let trailer = Trailer {
        magic: MAGIC,
        format: FORMAT,
        order: ORDER,
        program: key.program,
        recording: key.recording,
        columns,
        small,
        sums: sums::hash(sums),
        own: 0,
    };
    let trailer = Trailer { own: trailer.sum(), ..trailer };
    out.write_all(sums)?;
    out.write_all(bytemuck::bytes_of(&trailer))?;
    out.flush()?;
    Ok(columns + small + (sums.len() + TRAILER) as u64)
}

/// Reads an index whose columns borrow from the file's map; otherwise why it is of no use.
pub(super) fn read(file: &File, key: Key, recording: &File, files: Files<'_>) -> Result<Found, &'static str> {
    const DAMAGED: &str = "what was kept is damaged";
    let map = MappedFile::new(file).map_err(|_| "what was kept cannot be read")?;
    let trailer = Trailer::of(map.as_ref()).ok_or(DAMAGED)?;
    if trailer.format != FORMAT || trailer.order != ORDER || trailer.program != key.program {
        return Err("what was kept is another version's");
    }
    if trailer.recording != key.recording {
        return Err("the recording has changed");
    }
    let bytes: SharedBytes = Arc::new(map);
    if !is_intact((*bytes).as_ref(), &trailer) {
        return Err(DAMAGED);
    }
    let written = Written { columns: trailer.columns, small: trailer.small };
    let mut reader = Reader::new(&bytes, written).ok_or(DAMAGED)?;
    let found = restore(&mut reader, recording, files).ok_or(DAMAGED)?;
    Ok(Found { bytes: (*bytes).as_ref().len() as u64, ..found })
}

fn is_intact(bytes: &[u8], trailer: &Trailer) -> bool {
    let parts = trailer.columns.checked_add(trailer.small).and_then(|end| usize::try_from(end).ok());
    let Some((parts, rest)) = parts.and_then(|end| bytes.split_at_checked(end)) else { return false };
    let blocks = parts.len().div_ceil(sums::BLOCK);
    if rest.len() != blocks * size_of::<u64>() + TRAILER {
        return false;
    }
    let sums = &rest[..rest.len() - TRAILER];
    let sums_are_intact = sums::hash(sums) == trailer.sums;
    sums_are_intact && bytemuck::cast_slice::<u64, u8>(&sums::of_blocks(parts)) == sums
}

fn restore(from: &mut Reader<'_>, recording: &File, files: Files<'_>) -> Option<Found> {
    let _name = String::read(from)?;
    let source = match Text::read(from)? {
        Text::Recording => Source::new(MappedFile::new(recording).ok()?),
        Text::Inside => Source::new(Bytes(from.column()?)),
        Text::Beside(identity) => {
            let file = File::open(files.text).ok()?;
            (Identity::of(&file, files.text).ok()? == identity).then_some(Source::new(MappedFile::new(&file).ok()?))?
        }
    };
    let source = match <Option<&'static str>>::read(from)? {
        Some(member) => source.with_member(member),
        None => source,
    };
    let profile = Profile { source, ..Profile::read(from)? };
    if !profile.is_consistent() {
        return None;
    }
    let index = Index::restore(Arc::new(profile), from)?;
    Some(Found { index, tracks: Persist::read(from)?, rules: Persist::read(from)?, bytes: 0 })
}

/// Text that lies in an entry.
struct Bytes(Column<u8>);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The recording that an entry was made of, as it was called then; empty if it cannot be told.
pub(super) fn recording_of(path: &Path) -> PathBuf {
    let name = || {
        let map: SharedBytes = Arc::new(MappedFile::new(&File::open(path).ok()?).ok()?);
        let trailer = Trailer::of((*map).as_ref())?;
        let written = Written { columns: trailer.columns, small: trailer.small };
        String::read(&mut Reader::new(&map, written)?)
    };
    name().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind, Result};

    use super::*;
    use crate::import::{Progress, read as import};
    use crate::index::Arrangement;

    /// A disk with room for so many bytes.
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            let count = bytes.len().min(self.0);
            self.0 -= count;
            if count == 0 { Err(Error::from(ErrorKind::StorageFull)) } else { Ok(count) }
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_first_error_of_the_disk_ends_writing() {
        let trace = br#"[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2},{"ph":"C","name":"c","pid":1,"ts":1,"args":{"x":1}}]"#;
        let profile = import(trace.to_vec(), &Progress::default()).expect("a trace").profile;
        let index = Index::build(Arc::new(profile), Arrangement::Stack);
        let setup = FlowSetup::default();
        let key = Key { recording: Identity::zeroed(), program: 1 };
        let files = Files { recording: Path::new("a"), text: Path::new("b") };
        let keep = Keep { index: &index, setup: &setup, rules: "" };
        let write = |disk: usize, limit: u64| write(&mut Disk(disk), key, (files, &Text::Inside), keep, limit);
        let bytes = write(usize::MAX, u64::MAX).expect("room for all");
        let whole = usize::try_from(bytes).expect("small");
        assert_eq!(write(whole, bytes).expect("just enough"), bytes);
        for room in (0..whole).step_by(whole / 50).chain([whole - 1]) {
            assert_eq!(write(room, u64::MAX).expect_err("full").kind(), ErrorKind::StorageFull, "{room}");
        }
        assert_eq!(write(usize::MAX, bytes / 2).expect_err("too large").kind(), ErrorKind::FileTooLarge);
    }
}
