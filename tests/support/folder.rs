//! Temporary folders.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use flowline_synth::{Format, Options};

/// A folder used by one test and removed on drop.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Creates an empty folder whose path contains `name`.
    pub(crate) fn new(name: &str) -> Self {
        static CREATED: AtomicU32 = AtomicU32::new(0);
        let number = CREATED.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path.canonicalize().expect("a folder"))
    }

    /// The folder's own path.
    pub(crate) fn root(&self) -> &Path {
        &self.0
    }

    /// The path of a file in the folder, which need not exist.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file and returns its path.
    pub(crate) fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, contents).expect("a file");
        path
    }

    /// Writes a synthetic recording. The seed also determines the number of threads and whether there are many flows.
    pub(crate) fn synthetic(&self, name: &str, format: Format, markers: u64, seed: u64) -> PathBuf {
        let threads = u32::try_from(seed % 5 + 1).expect("few");
        let flows = seed.is_multiple_of(3).then_some(markers / 8);
        let mut text = Vec::new();
        let options = Options { markers, format, threads: Some(threads), flows, samples: 0, seed };
        flowline_synth::write(&options, &mut text).expect("writing to memory succeeds");
        self.file(name, text)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Leftovers in the build folder are harmless.
        let _left = std::fs::remove_dir_all(&self.0);
    }
}
