//! The file format of a cache entry.
//!
//! The file contains the columns, each aligned; the small parts; a checksum for every block of both; and a trailer of
//! fixed size with the identity of the recording, the identity of the program, and the sizes of the parts. A truncated
//! file has no trailer. All checksums are verified before anything else is read, unless the file is known to be intact.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::checksums::{self, ChecksumWriter};
use super::identity::{FileIdentity, content_hash, open_regular};
use flowline_import::{MappedFile, trace_texts};
use flowline_index::Index;
use flowline_index::flows::{FlowRules, FlowSetup, FlowTrack};
use flowline_profile::persist::{Persist, Reader, Writer, Written, persist};
use flowline_profile::{Column, Profile, SharedBytes, Source};

const MAGIC: [u8; 8] = *b"FLOWIDX\n";
/// Version of the format.
const FORMAT: u32 = 5;
/// Numbers are in native byte order, which this number identifies.
const ORDER: u32 = u32::from_ne_bytes([1, 2, 3, 4]);

/// The end of each file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Trailer {
    magic: [u8; 8],
    format: u32,
    order: u32,
    program: u64,
    recording: FileIdentity,
    /// Hash of the recording's contents.
    content: u64,
    columns: u64,
    small: u64,
    /// Hash of the checksums.
    checksums: u64,
    /// Hash of the preceding fields.
    own: u64,
}

const TRAILER: usize = size_of::<Trailer>();

impl Trailer {
    fn hash(&self) -> u64 {
        checksums::hash(&bytemuck::bytes_of(self)[..TRAILER - size_of::<u64>()])
    }

    /// Reads the trailer of a file; `None` if it has none.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let trailer: Self = bytemuck::pod_read_unaligned(&bytes[bytes.len().checked_sub(TRAILER)?..]);
        (trailer.magic == MAGIC && trailer.own == trailer.hash()).then_some(trailer)
    }
}

/// Identity of the recording and of the program that an entry belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntryKey {
    pub(super) recording: FileIdentity,
    pub(super) program: u64,
}

/// Location of the text that payloads point into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TextLocation {
    /// The recording itself.
    Recording,
    /// In the entry, because the recording is packed.
    Inside,
    /// In a file beside the entry.
    Beside(FileIdentity),
}
persist!(enum TextLocation { 0 => Recording, 1 => Inside, 2 => Beside(identity) });

/// The files that an entry refers to.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryFiles<'a> {
    pub(super) recording: &'a Path,
    /// The unpacked text beside the entry. It need not exist.
    pub(super) text: &'a Path,
}

/// Data that is written in addition to the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryMetadata<'a> {
    pub(super) key: EntryKey,
    /// Hash of the recording's contents.
    pub(super) content: u64,
    pub(super) files: EntryFiles<'a>,
    pub(super) text: &'a TextLocation,
    /// Location of the events of a binary recording.
    pub(super) events: &'a Option<TextLocation>,
}

/// An index that was restored from the cache.
#[derive(Debug)]
pub struct CachedIndex {
    /// Profile and index.
    pub index: Index,
    /// Its flow tracks.
    pub tracks: Vec<FlowTrack>,
    /// The rules that produced the tracks.
    pub rules: FlowRules,
    /// Size in bytes of the memory map that the columns borrow from.
    pub bytes: u64,
}

/// The data to store for a recording.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// Profile and index.
    pub index: &'a Index,
    /// Its flow tracks.
    pub setup: &'a FlowSetup,
    /// The rules that produced the tracks.
    pub rules: &'a FlowRules,
}

/// Writes an entry; returns its size in bytes.
pub(super) fn write(
    out: &mut impl Write,
    EntryMetadata { key, content, files, text, events }: EntryMetadata<'_>,
    snapshot: Snapshot<'_>,
    limit: u64,
) -> std::io::Result<u64> {
    let mut checked = ChecksumWriter::new(out, limit);
    let profile = snapshot.index.profile();
    let mut writer = Writer::new(&mut checked);
    files.recording.to_string_lossy().into_owned().write(&mut writer)?;
    text.write(&mut writer)?;
    if *text == TextLocation::Inside {
        writer.column(profile.source.bytes())?;
    }
    events.is_some().write(&mut writer)?;
    if let (Some(location), Some(own)) = (events, profile.source.events()) {
        location.write(&mut writer)?;
        if *location == TextLocation::Inside {
            writer.column(own.recording().bytes())?;
        }
    }
    profile.source.member().write(&mut writer)?;
    Profile::write(profile, &mut writer)?;
    snapshot.index.write(&mut writer)?;
    snapshot.setup.tracks.write(&mut writer)?;
    snapshot.rules.write(&mut writer)?;
    let Written { columns, small } = writer.finish()?;
    let (out, sums) = checked.finish()?;
    let sums: &[u8] = bytemuck::cast_slice(&sums);
    let trailer = Trailer {
        magic: MAGIC,
        format: FORMAT,
        order: ORDER,
        program: key.program,
        recording: key.recording,
        content,
        columns,
        small,
        checksums: checksums::hash(sums),
        own: 0,
    };
    let trailer = Trailer { own: trailer.hash(), ..trailer };
    out.write_all(sums)?;
    out.write_all(bytemuck::bytes_of(&trailer))?;
    out.flush()?;
    Ok(columns + small + (sums.len() + TRAILER) as u64)
}

/// Reads an entry. The columns of the index borrow from the file's memory map. If the entry is known to be intact, the
/// checksums of its columns are not verified.
///
/// # Errors
/// The reason why the entry cannot be used.
pub(super) fn read(
    file: &File,
    key: EntryKey,
    recording: &File,
    files: EntryFiles<'_>,
    is_known: bool,
) -> Result<CachedIndex, &'static str> {
    const DAMAGED: &str = "the cached index is damaged";
    let map = MappedFile::new(file).map_err(|_| "the cached index cannot be read")?;
    let trailer = Trailer::from_bytes(map.as_ref()).ok_or(DAMAGED)?;
    if trailer.format != FORMAT || trailer.order != ORDER || trailer.program != key.program {
        return Err("the cached index is from another version of Flowline");
    }
    let is_same = trailer.recording == key.recording
        || trailer.recording.is_same_but_status(&key.recording)
            && content_hash(recording).is_ok_and(|content| content == trailer.content);
    if !is_same {
        return Err("the recording has changed");
    }
    let bytes: SharedBytes = Arc::new(map);
    let first = if is_known { usize::try_from(trailer.columns).unwrap_or(0) / checksums::BLOCK } else { 0 };
    if !is_intact((*bytes).as_ref(), &trailer, first) {
        return Err(DAMAGED);
    }
    let written = Written { columns: trailer.columns, small: trailer.small };
    let mut reader = Reader::new(&bytes, written).ok_or(DAMAGED)?;
    let found = restore(&mut reader, recording, files).ok_or(DAMAGED)?;
    Ok(CachedIndex { bytes: (*bytes).as_ref().len() as u64, ..found })
}

/// Hash of the contents of a recording, if this entry belongs to exactly this recording.
pub(super) fn content_of(file: &File, recording: &FileIdentity) -> Option<u64> {
    let map = MappedFile::new(file).ok()?;
    let trailer = Trailer::from_bytes(map.as_ref())?;
    let is_known = trailer.format == FORMAT && trailer.order == ORDER && trailer.recording == *recording;
    is_known.then_some(trailer.content)
}

/// True if an entry is complete and the checksums of its blocks match, starting with block `first`.
fn is_intact(bytes: &[u8], trailer: &Trailer, first: usize) -> bool {
    let parts = trailer.columns.checked_add(trailer.small).and_then(|end| usize::try_from(end).ok());
    let Some((parts, rest)) = parts.and_then(|end| bytes.split_at_checked(end)) else { return false };
    let blocks = parts.len().div_ceil(checksums::BLOCK);
    if rest.len() != blocks * size_of::<u64>() + TRAILER {
        return false;
    }
    let sums = &rest[..rest.len() - TRAILER];
    let compared = parts.get(first * checksums::BLOCK..).zip(sums.get(first * size_of::<u64>()..));
    checksums::hash(sums) == trailer.checksums
        && compared
            .is_some_and(|(parts, sums)| bytemuck::cast_slice::<u64, u8>(&checksums::block_hashes(parts)) == sums)
}

fn restore(from: &mut Reader<'_>, recording: &File, files: EntryFiles<'_>) -> Option<CachedIndex> {
    let _name = String::read(from)?;
    let mut source = located(from, recording, files)?;
    if bool::read(from)? {
        source = source.with_events(trace_texts(located(from, recording, files)?));
    }
    let source = match <Option<&'static str>>::read(from)? {
        Some(member) => source.with_member(member),
        None => source,
    };
    let profile = Profile { source, ..Profile::read(from)? };
    if !profile.is_consistent() {
        return None;
    }
    let index = Index::restore(Arc::new(profile), from)?;
    Some(CachedIndex { index, tracks: Persist::read(from)?, rules: Persist::read(from)?, bytes: 0 })
}

/// The bytes at the next location.
fn located(from: &mut Reader<'_>, recording: &File, files: EntryFiles<'_>) -> Option<Source> {
    Some(match TextLocation::read(from)? {
        TextLocation::Recording => MappedFile::recording(recording).ok()?.to_source(),
        TextLocation::Inside => Source::new(Bytes(from.column()?)),
        TextLocation::Beside(identity) => {
            let file = open_regular(files.text).ok()?;
            (FileIdentity::from_file(&file, files.text).ok()? == identity)
                .then_some(MappedFile::new(&file).ok()?.to_source())?
        }
    })
}

/// The text stored in an entry.
struct Bytes(Column<u8>);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Path of the recording when the entry was written; empty if unknown.
pub(super) fn recording_path(path: &Path) -> PathBuf {
    let name = || {
        let map: SharedBytes = Arc::new(MappedFile::new(&open_regular(path).ok()?).ok()?);
        let trailer = Trailer::from_bytes((*map).as_ref())?;
        let written = Written { columns: trailer.columns, small: trailer.small };
        String::read(&mut Reader::new(&map, written)?)
    };
    name().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind, Result};

    use super::*;
    use flowline_import::{Progress, read as import};
    use flowline_index::Arrangement;

    /// A disk with this many bytes of free space.
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
        let key = EntryKey { recording: FileIdentity::zeroed(), program: 1 };
        let files = EntryFiles { recording: Path::new("a"), text: Path::new("b") };
        let rules = FlowRules::built_in();
        let facts = EntryMetadata { key, content: 1, files, text: &TextLocation::Inside, events: &None };
        let snapshot = Snapshot { index: &index, setup: &setup, rules: &rules };
        let write = |disk: usize, limit: u64| write(&mut Disk(disk), facts, snapshot, limit);
        let bytes = write(usize::MAX, u64::MAX).expect("room for all");
        let whole = usize::try_from(bytes).expect("small");
        assert_eq!(write(whole, bytes).expect("just enough"), bytes);
        for room in (0..whole).step_by(whole / 50).chain([whole - 1]) {
            assert_eq!(write(room, u64::MAX).expect_err("full").kind(), ErrorKind::StorageFull, "{room}");
        }
        assert_eq!(write(usize::MAX, bytes / 2).expect_err("too large").kind(), ErrorKind::FileTooLarge);
    }
}
