//! Atomic writes: the content goes into a new file next to the target, which takes the target's name once it is
//! complete.
//!
//! If the system supports it, the new file is unnamed until it is complete, so nothing is left behind even if the
//! program is killed. Otherwise the file has a temporary name and is removed after an error.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Size in bytes of the write buffer.
const BUFFER: usize = 1 << 16;

/// Counter for unique temporary names.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// The temporary file being written; it is removed on drop unless it was renamed.
struct Unfinished(Option<PathBuf>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            // There is no better way to handle a file that cannot be removed.
            let _kept = fs::remove_file(path);
        }
    }
}

/// Creates an unnamed file in a folder; `None` if the system does not support such files.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // `name` links the file through this folder.
    if !Path::new(OPEN_FILES).is_dir() {
        return None;
    }
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    open(folder, flags, Mode::from_raw_mode(0o666)).ok().map(File::from)
}

/// Links an unnamed file under a name that is not in use.
#[cfg(target_os = "linux")]
fn name(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    let open = format!("{OPEN_FILES}/{}", std::os::fd::AsRawFd::as_raw_fd(file));
    Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Folder with the open file descriptors of this process.
#[cfg(target_os = "linux")]
const OPEN_FILES: &str = "/proc/self/fd";

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn name(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Maximum length of a chain of symbolic links, close to the limits of operating systems.
const MAX_LINKS: usize = 40;

/// Resolves the symbolic links of a path; the target may not exist yet.
fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            // Not a link, or no such file.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// Writes a file with `write`. If that fails or returns `None`, the target is unchanged. An existing file is replaced
/// and keeps its permissions; links are followed, even to a file that does not exist yet. Pipes and devices are written
/// directly.
///
/// # Errors
/// Errors of `write` and of the file.
pub fn atomic_write<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<Option<T>, E>,
) -> Result<Option<T>, E> {
    let before = fs::metadata(path).ok();
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        let mut out = BufWriter::with_capacity(BUFFER, OpenOptions::new().write(true).open(path)?);
        let written = write(&mut out)?;
        out.flush()?;
        return Ok(written);
    }
    let path = resolve_links(path)?;
    let part = format!(".flowline-{}-{}.part", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let part = path.with_file_name(part);
    let (file, mut unfinished) = match nameless(part.parent().unwrap_or(Path::new("."))) {
        Some(file) => (file, Unfinished(None)),
        None => {
            let file = OpenOptions::new().write(true).create_new(true).open(&part)?;
            (file, Unfinished(Some(part.clone())))
        }
    };
    if let Some(before) = before {
        file.set_permissions(before.permissions())?;
    }
    let mut out = BufWriter::with_capacity(BUFFER, file);
    let Some(written) = write(&mut out)? else { return Ok(None) };
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    // The system may report a full disk only now.
    file.sync_all()?;
    if unfinished.0.is_none() {
        name(&file, &part)?;
        unfinished.0 = Some(part.clone());
    }
    fs::rename(&part, &path)?;
    unfinished.0 = None;
    Ok(Some(written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_complete_or_unchanged() {
        let folder = std::env::temp_dir().join(format!("flowline-whole-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("table.csv");
        let files = || fs::read_dir(&folder).expect("a folder").count();
        let failed: io::Result<Option<()>> = atomic_write(&path, |out| {
            out.write_all(b"half")?;
            out.flush()?;
            let is_named = nameless(&folder).is_none();
            assert_eq!(files(), usize::from(is_named), "a killed program leaves no file");
            Err(io::Error::other("no more room"))
        });
        assert_eq!(failed.expect_err("it fails").to_string(), "no more room");
        assert_eq!(files(), 0, "no partial file is left");
        assert_eq!(atomic_write(&path, |out| out.write_all(b"first").map(Some)).expect("written"), Some(()));
        assert_eq!(fs::read(&path).expect("a file"), b"first");
        let stopped: Option<()> = atomic_write(&path, |out| out.write_all(b"hal").map(|()| None)).expect("no error");
        assert_eq!((stopped, files()), (None, 1));
        assert_eq!(fs::read(&path).expect("a file"), b"first");
        assert_eq!(atomic_write(&path, |out| out.write_all(b"2nd").map(Some)).expect("written"), Some(()));
        assert_eq!((fs::read(&path).expect("a file"), files()), (b"2nd".to_vec(), 1));
        let write = |path: &Path| atomic_write(path, |_| io::Result::Ok(Some(())));
        assert!(write(&folder.join("none").join("x")).is_err());
        assert!(write(&folder).is_err(), "a folder is not a file");
        fs::remove_dir_all(&folder).expect("tidied up");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_even_to_missing_files() {
        use std::os::unix::fs::symlink;
        let folder = std::env::temp_dir().join(format!("flowline-links-{}", std::process::id()));
        fs::create_dir_all(folder.join("elsewhere")).expect("a folder");
        let [link, target] = [folder.join("link"), folder.join("elsewhere/target")];
        symlink("second", &link).expect("a link");
        symlink("elsewhere/target", folder.join("second")).expect("a link");
        for text in [&b"new"[..], b"replaced"] {
            let written: io::Result<_> = atomic_write(&link, |out| out.write_all(text).map(Some));
            assert_eq!(written.expect("written"), Some(()));
            assert!(link.is_symlink() && !target.is_symlink());
            assert_eq!(fs::read(&target).expect("a file"), text);
        }
        let [a, b] = [folder.join("a"), folder.join("b")];
        symlink("a", &b).expect("a link");
        symlink("b", &a).expect("a link");
        let written: io::Result<Option<()>> = atomic_write(&a, |out| out.write_all(b"x").map(Some));
        assert!(written.expect_err("a circle").to_string().contains("symbolic links"));
        fs::remove_dir_all(&folder).expect("removed");
    }
}
