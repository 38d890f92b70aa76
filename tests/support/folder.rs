//! Temporary folders.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use flowline_synth::{Format, Options};

/// A folder that one test uses, removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// An empty folder whose path contains `name`.
    pub(crate) fn new(name: &str) -> Self {
        static CREATED: AtomicU32 = AtomicU32::new(0);
        let number = CREATED.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path.canonicalize().expect("a folder"))
    }

    /// The folder itself.
    pub(crate) fn root(&self) -> &Path {
        &self.0
    }

    /// The path of a file in it, whether it exists or not.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, contents).expect("a file");
        path
    }

    /// Writes a synthetic recording; the seed also decides the number of threads and whether there are many flows.
    pub(crate) fn synthetic(&self, name: &str, format: Format, markers: u64, seed: u64) -> PathBuf {
        let threads = u32::try_from(seed % 5 + 1).expect("few");
        let flows = seed.is_multiple_of(3).then_some(markers / 8);
        let mut text = Vec::new();
        let options = Options { markers, format, threads: Some(threads), flows, samples: 0, seed };
        flowline_synth::write(&options, &mut text).expect("memory does not fail");
        self.file(name, text)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays in the build folder and does no harm.
        let _left = std::fs::remove_dir_all(&self.0);
    }
}
