//! Kinds of work. The color of a marker, call or request states its kind.

/// A kind of work.
///
/// The number of a kind is its entry in the palettes of the scene. Unknown work is of the kind `System`, entry 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// Scheduling, timers, telemetry, and everything else.
    #[default]
    System,
    /// JavaScript, Python and other program code.
    Script,
    /// Style and layout.
    Layout,
    /// Painting, compositing, rasterization, decoding of images.
    Paint,
    /// Parsing of documents and files, and file input and output.
    Load,
    /// Requests and sockets.
    Network,
    /// Garbage collection, allocation, page faults.
    Memory,
    /// Messages between processes.
    Ipc,
    /// Work of the graphics processor.
    Gpu,
    /// Marks and measures that the recorded program made on purpose.
    User,
}

impl Kind {
    /// All kinds, in the order of lists: the most frequent questions first.
    pub const ALL: [Self; 10] = [
        Self::Script,
        Self::Layout,
        Self::Paint,
        Self::Load,
        Self::Network,
        Self::Memory,
        Self::Ipc,
        Self::Gpu,
        Self::User,
        Self::System,
    ];

    /// The name in legends and tables.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::System => "System",
            Self::Script => "Scripting",
            Self::Layout => "Rendering",
            Self::Paint => "Painting",
            Self::Load => "Loading",
            Self::Network => "Network",
            Self::Memory => "GC and memory",
            Self::Ipc => "IPC",
            Self::Gpu => "GPU",
            Self::User => "User timing",
        }
    }

    /// The kind with a palette entry; `None` for entries that are no kind, such as idle.
    #[must_use]
    pub fn from_entry(entry: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == entry)
    }
}
