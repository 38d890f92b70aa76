//! The order in which kinds of work are stacked in activity graphs.

use flowline_profile::Kind;

/// The kinds from the bottom of a stack to the top. Common, less informative ones are at the bottom.
const ORDER: [Kind; 10] = [
    Kind::System,
    Kind::Ipc,
    Kind::Gpu,
    Kind::User,
    Kind::Network,
    Kind::Memory,
    Kind::Load,
    Kind::Paint,
    Kind::Layout,
    Kind::Script,
];

/// Number of palette entries.
const ENTRIES: usize = 16;

/// Palette entries from the bottom up; those that are no kinds are on top.
#[expect(clippy::cast_possible_truncation, reason = "a few entries")]
static ENTRIES_IN_ORDER: [u8; ENTRIES] = {
    let mut entries = [0; ENTRIES];
    let mut at = 0;
    while at < ENTRIES {
        entries[at] = if at < ORDER.len() { ORDER[at] as u8 } else { at as u8 };
        at += 1;
    }
    entries
};

/// Palette entries from the bottom up.
pub(super) fn stack_order() -> &'static [u8] {
    &ENTRIES_IN_ORDER
}
