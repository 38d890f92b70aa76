//! The files that the program reads, which no writer may replace.
//!
//! Files are compared by identity (device and inode on Unix, the resolved path elsewhere), so links and other spellings
//! of a path make no difference.

use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};

/// The role of a file that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFile {
    /// A recording.
    Recording,
    /// A notes file.
    Notes,
    /// A flow rules file.
    FlowRules,
    /// A budget of page loads.
    Budget,
}

impl InputFile {
    const fn name(self) -> &'static str {
        match self {
            Self::Recording => "the recording",
            Self::Notes => "the notes file",
            Self::FlowRules => "the flow rules file",
            Self::Budget => "the budget",
        }
    }
}

/// The files that the program reads.
#[derive(Clone, Debug, Default)]
pub struct InputFiles(Vec<(InputFile, PathBuf, Option<FileId>)>);

impl InputFiles {
    /// Adds a file. A path that does not refer to a regular file, such as `-`, never matches.
    #[must_use]
    pub fn with(mut self, role: InputFile, path: &Path) -> Self {
        self.0.push((role, path.to_owned(), FileId::of_path(path)));
        self
    }

    /// Checks that a path is not one of these files.
    ///
    /// # Errors
    /// If it is one of them.
    pub fn check_path(&self, target: &Path) -> std::io::Result<()> {
        self.check(FileId::of_path(target))
    }

    /// Checks that an open file, such as standard output, is not one of these files.
    ///
    /// # Errors
    /// If it is one of them.
    pub fn check_open(&self, file: &File) -> std::io::Result<()> {
        let metadata = file.metadata().ok().filter(Metadata::is_file);
        self.check(metadata.and_then(|metadata| FileId::of_open(&metadata)))
    }

    fn check(&self, target: Option<FileId>) -> std::io::Result<()> {
        let Some(target) = target else { return Ok(()) };
        // A file that was replaced since then has a new identity.
        let is_same = |(_, path, then): &&(InputFile, PathBuf, Option<FileId>)| {
            then.as_ref() == Some(&target) || FileId::of_path(path).as_ref() == Some(&target)
        };
        match self.0.iter().find(is_same) {
            None => Ok(()),
            Some((role, ..)) => {
                Err(std::io::Error::other(format!("this is {} being read; choose another output file", role.name())))
            }
        }
    }
}

/// Identity of a regular file, independent of its path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileId {
    device: u64,
    inode: u64,
    /// The resolved path, on systems without inodes.
    path: Option<PathBuf>,
}

impl FileId {
    fn of_path(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        Some(Self::of_metadata(&metadata, path))
    }

    #[cfg(unix)]
    fn of_metadata(metadata: &Metadata, _path: &Path) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self { device: metadata.dev(), inode: metadata.ino(), path: None }
    }

    #[cfg(not(unix))]
    fn of_metadata(_metadata: &Metadata, path: &Path) -> Self {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Self { device: 0, inode: 0, path: Some(path) }
    }

    #[cfg(unix)]
    fn of_open(metadata: &Metadata) -> Option<Self> {
        Some(Self::of_metadata(metadata, Path::new("")))
    }

    /// Without inodes, an open file cannot be identified.
    #[cfg(not(unix))]
    fn of_open(_metadata: &Metadata) -> Option<Self> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_is_recognized_by_all_its_names() {
        let folder = std::env::temp_dir().join(format!("flowline-inputs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let [file, hard, soft, other] = ["t.json", "hard", "soft", "other"].map(|name| folder.join(name));
        std::fs::write(&file, "[]").expect("written");
        std::fs::write(&other, "[]").expect("written");
        std::fs::hard_link(&file, &hard).expect("a link");
        std::os::unix::fs::symlink("t.json", &soft).expect("a link");
        let inputs = InputFiles::default().with(InputFile::Recording, Path::new("-")).with(InputFile::Notes, &file);
        for same in [&file, &hard, &soft, &folder.join("../").join(folder.file_name().expect("a name")).join("t.json")]
        {
            let error = inputs.check_path(same).expect_err("it is the same file");
            assert!(error.to_string().contains("notes file"), "{error}");
        }
        for another in [&other, &folder.join("new"), &folder] {
            inputs.check_path(another).expect("another file");
        }
        // Recorded again under the same name: both files are inputs.
        std::fs::rename(&other, &file).expect("replaced");
        assert!(inputs.check_path(&file).is_err() && inputs.check_path(&hard).is_err());
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
