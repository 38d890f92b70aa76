//! The names of insights.

/// An insight: a question about a page load that is answered from the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InsightName {
    /// The parts of the slowest interaction.
    InpBreakdown,
    /// The parts of the largest contentful paint.
    LcpBreakdown,
    /// How early the browser could find the image of the largest paint.
    LcpDiscovery,
    /// What moved the layout.
    ClsCulprits,
    /// Requests that delayed the first paint.
    RenderBlocking,
    /// Chains of requests of which each found the next one.
    NetworkDependencyTree,
    /// Images with more bytes than needed.
    ImageDelivery,
    /// How quickly the document arrived.
    DocumentLatency,
    /// Text that was invisible while its font loaded.
    FontDisplay,
    /// Layout for small screens.
    Viewport,
    /// Size of the document.
    DomSize,
    /// Work and bytes of other companies.
    ThirdParties,
    /// Costs of selectors.
    SlowCssSelector,
    /// Layout that scripts forced.
    ForcedReflow,
    /// Requests with short lifetimes in the cache.
    Cache,
    /// Encoding of the document.
    CharacterSet,
    /// Requests over old versions of HTTP.
    ModernHttp,
    /// Tasks that blocked the main thread.
    LongTasks,
    /// Times in which a thread did not react (Firefox).
    Jank,
    /// Waiting for other processes (Firefox).
    SyncIpc,
    /// Files read and written by the main thread (Firefox).
    MainThreadIo,
    /// Requests that waited for long (Firefox).
    NetworkWaits,
}

impl InsightName {
    /// All insights in the order in which they are listed.
    pub const ALL: [Self; 22] = [
        Self::InpBreakdown,
        Self::LcpBreakdown,
        Self::LcpDiscovery,
        Self::ClsCulprits,
        Self::RenderBlocking,
        Self::NetworkDependencyTree,
        Self::ImageDelivery,
        Self::DocumentLatency,
        Self::FontDisplay,
        Self::Viewport,
        Self::DomSize,
        Self::ThirdParties,
        Self::SlowCssSelector,
        Self::ForcedReflow,
        Self::Cache,
        Self::CharacterSet,
        Self::ModernHttp,
        Self::LongTasks,
        Self::Jank,
        Self::SyncIpc,
        Self::MainThreadIo,
        Self::NetworkWaits,
    ];

    /// Name in output and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.texts().0
    }

    /// Name in the UI.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.texts().1
    }

    /// One sentence that says why it matters.
    #[must_use]
    pub const fn about(self) -> &'static str {
        self.texts().2
    }

    /// The insight with a name, as written in output.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.name().eq_ignore_ascii_case(name))
    }

    const fn texts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::InpBreakdown => (
                "INPBreakdown",
                "INP by phase",
                "The slowest interaction: waiting, handlers, and the way to the screen.",
            ),
            Self::LcpBreakdown => (
                "LCPBreakdown",
                "LCP by phase",
                "The largest paint: the server, the wait, the download, and the way to the screen.",
            ),
            Self::LcpDiscovery => (
                "LCPDiscovery",
                "LCP request discovery",
                "An image of the first screen is best named in the document and asked for first.",
            ),
            Self::ClsCulprits => {
                ("CLSCulprits", "Layout shift culprits", "Content that moves while it is read loses the reader.")
            }
            Self::RenderBlocking => {
                ("RenderBlocking", "Render-blocking requests", "Nothing is painted until these requests have ended.")
            }
            Self::NetworkDependencyTree => {
                ("NetworkDependencyTree", "Network dependency tree", "A request that is found late begins late.")
            }
            Self::ImageDelivery => ("ImageDelivery", "Image delivery", "Images with fewer bytes arrive earlier."),
            Self::DocumentLatency => {
                ("DocumentLatency", "Document request latency", "Everything waits for the document.")
            }
            Self::FontDisplay => ("FontDisplay", "Font display", "Text is invisible while its font loads."),
            Self::Viewport => {
                ("Viewport", "Viewport", "Touch screens wait for a second tap on pages made for large screens.")
            }
            Self::DomSize => ("DOMSize", "DOM size", "Style and layout take longer in large documents."),
            Self::ThirdParties => ("ThirdParties", "Third parties", "Work and bytes of code from other companies."),
            Self::SlowCssSelector => {
                ("SlowCSSSelector", "CSS selector costs", "Selectors that are tried often and seldom match.")
            }
            Self::ForcedReflow => {
                ("ForcedReflow", "Forced reflow", "A script asked for sizes right after it had changed the page.")
            }
            Self::Cache => ("Cache", "Cache lifetimes", "Files that need not be loaded again on the next visit."),
            Self::CharacterSet => {
                ("CharacterSet", "Character set", "A document of unknown encoding may be parsed twice.")
            }
            Self::ModernHttp => ("ModernHTTP", "Modern HTTP", "HTTP/1 loads few files of an origin at once."),
            Self::LongTasks => ("LongTasks", "Long tasks", "The page cannot react while a task runs."),
            Self::Jank => ("Jank", "Jank", "The thread did not react to events."),
            Self::SyncIpc => ("SyncIPC", "Synchronous IPC", "The main thread waited for another process."),
            Self::MainThreadIo => ("MainThreadIO", "Main-thread I/O", "The main thread waited for files."),
            Self::NetworkWaits => {
                ("NetworkWaits", "Network waits", "Requests that waited for a connection or for the server.")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::InsightName;

    #[test]
    fn names_are_found_and_are_in_order() {
        for name in InsightName::ALL {
            assert_eq!(InsightName::find(&name.name().to_lowercase()), Some(name));
        }
        assert!(InsightName::ALL.is_sorted());
    }
}
