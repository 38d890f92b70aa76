//! The formats of recordings, as far as the window names them.

/// The formats that the application can open. The table of formats is in a crate that the window does not use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFormats {
    /// Names of the formats, as a list for the welcome page.
    pub names: String,
    /// Endings of file names, in lower case. File dialogs list files with one of them; without any, they list all files.
    pub endings: Vec<&'static str>,
}

impl FileFormats {
    /// True if file dialogs list a file with this name.
    pub(crate) fn lists(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.endings.is_empty() || self.endings.iter().any(|ending| name.ends_with(ending))
    }
}
