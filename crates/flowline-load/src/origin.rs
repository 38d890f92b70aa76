//! Origins of recordings.

use std::path::{Path, PathBuf};

use flowline_import::ImportError;

/// Origin of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Input,
    /// The bundled example recording.
    Example,
}

/// Bytes of the bundled example recording.
pub(crate) static EXAMPLE: &[u8] = include_bytes!("../../../fixtures/example.json.gz");

/// Display name of standard input.
const INPUT_NAME: &str = "standard input";

impl Origin {
    /// Returns the origin for a command-line argument: `-` is standard input.
    #[must_use]
    pub fn from_argument(path: PathBuf) -> Self {
        if path.as_os_str() == "-" { Self::Input } else { Self::File(path) }
    }

    /// Path of the recording; for the example and standard input, no file exists at it.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Input => Path::new(INPUT_NAME),
            Self::Example => Path::new(""),
        }
    }

    /// Display name.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => {
                path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
            }
            Self::Input => INPUT_NAME.into(),
            Self::Example => "the example recording".into(),
        }
    }

    /// Returns the error message, which names the recording exactly once.
    #[must_use]
    pub fn explain(&self, error: &ImportError) -> String {
        match error {
            ImportError::Io { .. } => error.to_string(),
            _ => match self {
                Self::File(path) => format!("{}: {error}", path.display()),
                Self::Input | Self::Example => format!("{}: {error}", self.name()),
            },
        }
    }
}
