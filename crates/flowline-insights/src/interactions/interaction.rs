//! An interaction of the user with a page, from the input to the next paint.

use crate::page_load::{PageId, Rating};
use flowline_profile::{MarkerId, Ns, ThreadId};

/// Interactions longer than this are long.
pub const LONG_INTERACTION: Ns = Ns(200_000_000);
/// Interactions longer than this are poor.
const POOR_INTERACTION: Ns = Ns(500_000_000);

/// What the user used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InteractionCategory {
    /// A mouse, a pen or a finger.
    Pointer,
    /// A keyboard.
    Keyboard,
    /// Anything else.
    Other,
}

impl InteractionCategory {
    /// Name in output and, capitalized, in the UI.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pointer => "pointer",
            Self::Keyboard => "keyboard",
            Self::Other => "other",
        }
    }

    /// Name in the UI.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Pointer => "Pointer",
            Self::Keyboard => "Keyboard",
            Self::Other => "Other",
        }
    }
}

/// An interaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Interaction {
    /// Type of its event, such as `click`.
    pub event: String,
    /// What the user used.
    pub category: InteractionCategory,
    /// Time of the input.
    pub start: Ns,
    /// Time at which the first handler began.
    pub processing_start: Ns,
    /// Time at which the last handler ended.
    pub processing_end: Ns,
    /// Time of the next paint; `None` if it is not recorded.
    pub end: Option<Ns>,
    /// Time at which the input reached the main thread's queue, if that is recorded.
    pub queued: Option<Ns>,
    /// Time at which the main thread had committed the frame, if that is recorded.
    pub committed: Option<Ns>,
    /// Id that the browser gave it (Chrome).
    pub id: Option<i64>,
    /// Number of the press that it is part of (Firefox): down, up and click are one press.
    pub press: Option<u32>,
    /// True if another interaction with the same paint began earlier and stands for it.
    pub is_nested: bool,
    /// Number of the navigation that was current at its start.
    pub navigation: Option<u32>,
    /// The frame or window that received it.
    pub page: PageId,
    /// The marker that states its paint (Firefox).
    pub presented_by: Option<MarkerId>,
    /// The thread that handled it.
    pub thread: ThreadId,
    /// The marker that states it.
    pub marker: MarkerId,
    /// All markers of its events.
    pub markers: Vec<MarkerId>,
}

impl Interaction {
    /// Time from the input to the first handler.
    #[must_use]
    pub fn input_delay(&self) -> Ns {
        self.processing_start - self.start
    }

    /// Time of the handlers.
    #[must_use]
    pub fn processing(&self) -> Ns {
        self.processing_end - self.processing_start
    }

    /// Time from the handlers to the paint.
    #[must_use]
    pub fn presentation(&self) -> Option<Ns> {
        self.end.map(|end| end - self.processing_end)
    }

    /// Time from the input to the paint.
    #[must_use]
    pub fn length(&self) -> Option<Ns> {
        self.end.map(|end| end - self.start)
    }

    /// Forgets the times within input delay and presentation that are not within them.
    pub(super) fn drop_misplaced(&mut self) {
        let (delay, shown) =
            (self.start..=self.processing_start, self.processing_end..=self.end.unwrap_or(Ns(i64::MAX)));
        self.queued = self.queued.filter(|time| delay.contains(time));
        self.committed = self.committed.filter(|time| shown.contains(time));
    }

    /// True if the paint came late.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.length().is_some_and(|length| length > LONG_INTERACTION)
    }

    /// The rating of its length, if its paint is recorded.
    #[must_use]
    pub fn rating(&self) -> Option<Rating> {
        self.length().map(|length| match length {
            length if length <= LONG_INTERACTION => Rating::Good,
            length if length <= POOR_INTERACTION => Rating::NeedsImprovement,
            _ => Rating::Poor,
        })
    }
}
