//! Atomic writes: the content goes into a new file next to the target, which takes the target's name once it is
//! complete.
//!
//! If the system supports it, the new file is unnamed until it is complete, so nothing is left behind even if the
//! program is killed. Otherwise the file has a temporary name and is removed after an error.

#[cfg(target_os = "linux")]
use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::{Builder, NamedTempFile};

/// Size in bytes of the write buffer.
const BUFFER: usize = 1 << 16;

/// The new file.
enum NewFile {
    Unnamed(File),
    /// A file that is removed if it does not get its final name.
    Named(NamedTempFile),
}

impl NewFile {
    fn create(folder: &Path) -> io::Result<Self> {
        match nameless(folder) {
            Some(file) => Ok(Self::Unnamed(file)),
            None => temporary_names().tempfile_in(folder).map(Self::Named),
        }
    }

    fn file(&self) -> &File {
        match self {
            Self::Unnamed(file) => file,
            Self::Named(file) => file.as_file(),
        }
    }

    /// Gives the file its final name; replaces the file that has it.
    fn persist(self, path: &Path, folder: &Path) -> io::Result<()> {
        match self {
            Self::Unnamed(file) => replace_with(&file, path, folder)?,
            Self::Named(file) => _ = file.persist(path)?,
        }
        Ok(())
    }
}

/// Begin and end of the names of unfinished files.
const PREFIX: &str = ".flowline-";
const SUFFIX: &str = ".part";

/// Names of unfinished files.
fn temporary_names() -> Builder<'static, 'static> {
    let mut names = Builder::new();
    names.prefix(PREFIX).suffix(SUFFIX);
    // By default, only the user could read the file.
    #[cfg(unix)]
    names.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    names
}

/// Creates an unnamed file in a folder; `None` if the system does not support such files.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    // `name` links the file through this folder.
    if !Path::new(OPEN_FILES).is_dir() {
        return None;
    }
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    open(folder, flags, Mode::from_raw_mode(0o666)).ok().map(File::from)
}

/// Gives an unnamed file the name of another file, which it replaces. Only a file with a name can replace another one, so it has a
/// temporary name for a moment. Nothing is allocated meanwhile, because a failed allocation ends the program and would leave
/// the temporary name behind.
#[cfg(target_os = "linux")]
fn replace_with(file: &File, path: &Path, folder: &Path) -> io::Result<()> {
    use std::os::unix::ffi::OsStrExt as _;

    use rustix::fs::{AtFlags, CWD, linkat, renameat, unlinkat};
    use rustix::io::Errno;

    let name = |path: &Path| CString::new(path.as_os_str().as_bytes());
    let open = CString::new(format!("{OPEN_FILES}/{}", std::os::fd::AsRawFd::as_raw_fd(file)))?;
    let target = name(path)?;
    for _ in 0..MAX_NAMES {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let unique = (std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let part = name(&folder.join(format!("{PREFIX}{}-{}{SUFFIX}", unique.0, unique.1)))?;
        match linkat(CWD, &open, CWD, &part, AtFlags::SYMLINK_FOLLOW) {
            // Left by an earlier process with the same number.
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
            Ok(()) => {
                let renamed = renameat(CWD, &part, CWD, &target);
                if renamed.is_err() {
                    let _left = unlinkat(CWD, &part, AtFlags::empty());
                }
                return Ok(renamed?);
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Maximum number of temporary names that are tried.
#[cfg(target_os = "linux")]
const MAX_NAMES: usize = 1000;

/// Folder with the open file descriptors of this process.
#[cfg(target_os = "linux")]
const OPEN_FILES: &str = "/proc/self/fd";

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn replace_with(_: &File, _: &Path, _: &Path) -> io::Result<()> {
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
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let new = NewFile::create(folder)?;
    if let Some(before) = before {
        new.file().set_permissions(before.permissions())?;
    }
    let mut out = BufWriter::with_capacity(BUFFER, new.file());
    let Some(written) = write(&mut out)? else { return Ok(None) };
    out.flush()?;
    drop(out);
    // The system may report a full disk only now.
    new.file().sync_all()?;
    new.persist(&path, folder)?;
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
    fn files_are_as_readable_as_others_with_and_without_unnamed_files() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = std::env::temp_dir().join(format!("flowline-modes-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("table.csv");
        let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
        fs::write(folder.join("usual"), "x").expect("written");
        let usual = mode(&folder.join("usual"));
        for number in 0..2 {
            let named = || NewFile::Named(temporary_names().tempfile_in(&folder).expect("a file"));
            let new = if number == 0 { NewFile::create(&folder).expect("a file") } else { named() };
            new.file().write_all(b"text").expect("written");
            new.persist(&path, &folder).expect("renamed");
            assert_eq!((mode(&path), fs::read(&path).expect("a file")), (usual, b"text".to_vec()));
            fs::remove_file(&path).expect("removed");
            drop(named());
            #[cfg(target_os = "linux")]
            if let Some(file) = nameless(&folder) {
                assert!(replace_with(&file, &folder.join("none").join("x"), &folder).is_err());
            }
            assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "only the usual file is left");
        }
        fs::write(&path, "x").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
        let written: io::Result<_> = atomic_write(&path, |out| out.write_all(b"y").map(Some));
        assert_eq!((written.expect("written"), mode(&path)), (Some(()), 0o640));
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
