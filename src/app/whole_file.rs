//! Files that are written whole or not at all: into a new file beside the wanted one, which then takes its name.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes written at once.
const BUFFER: usize = 1 << 16;

/// Numbers the files that this program writes.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// The file being written; it is removed unless it got its name.
struct Unfinished(Option<PathBuf>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            // Nothing better can be done about a file that cannot be removed.
            let _kept = fs::remove_file(path);
        }
    }
}

/// Writes a file with `write`. If that fails or returns `None`, what was there before stays as it was. A file that exists is
/// replaced, also behind a link, and keeps its permissions; pipes and devices are written directly.
///
/// # Errors
/// Errors of `write` and of the file.
pub fn write_whole<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<Option<T>>,
) -> io::Result<Option<T>> {
    let before = fs::metadata(path).ok();
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        let mut out = BufWriter::with_capacity(BUFFER, OpenOptions::new().write(true).open(path)?);
        let written = write(&mut out)?;
        out.flush()?;
        return Ok(written);
    }
    let path = if before.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
    let name = format!(".flowline-{}-{}.part", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let part = path.with_file_name(name);
    let file = OpenOptions::new().write(true).create_new(true).open(&part)?;
    let mut unfinished = Unfinished(Some(part.clone()));
    if let Some(before) = before {
        file.set_permissions(before.permissions())?;
    }
    let mut out = BufWriter::with_capacity(BUFFER, file);
    let Some(written) = write(&mut out)? else { return Ok(None) };
    out.flush()?;
    drop(out);
    fs::rename(&part, &path)?;
    unfinished.0 = None;
    Ok(Some(written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_as_before() {
        let folder = std::env::temp_dir().join(format!("flowline-whole-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("table.csv");
        let files = || fs::read_dir(&folder).expect("a folder").count();
        let failed: io::Result<Option<()>> = write_whole(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("no more room"))
        });
        assert_eq!(failed.expect_err("it fails").to_string(), "no more room");
        assert_eq!(files(), 0, "nothing half-written is left");
        assert_eq!(write_whole(&path, |out| out.write_all(b"first").map(Some)).expect("written"), Some(()));
        assert_eq!(fs::read(&path).expect("a file"), b"first");
        let stopped: Option<()> = write_whole(&path, |out| out.write_all(b"hal").map(|()| None)).expect("no error");
        assert_eq!((stopped, files()), (None, 1));
        assert_eq!(fs::read(&path).expect("a file"), b"first");
        assert_eq!(write_whole(&path, |out| out.write_all(b"2nd").map(Some)).expect("written"), Some(()));
        assert_eq!((fs::read(&path).expect("a file"), files()), (b"2nd".to_vec(), 1));
        assert!(write_whole(&folder.join("none").join("x"), |_| Ok(Some(()))).is_err());
        assert!(write_whole(&folder, |_| Ok(Some(()))).is_err(), "a folder is no file");
        fs::remove_dir_all(&folder).expect("tidied up");
    }
}
