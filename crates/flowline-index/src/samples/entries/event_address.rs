//! The address of an entry.

use super::address::address_of_marker;
use super::entry::{EntryId, EntryItem};
use super::list::EntryList;
use crate::network::RequestUrls;
use flowline_profile::{FuncId, Profile};

/// Address of the script, style sheet or document that an entry processed; empty if it is unknown.
///
/// For calls, it is the file of the function. For events, it comes from the arguments of their start, in the order of
/// DevTools: style sheet, innermost frame of the stack, parsed document, address, network request.
#[must_use]
pub fn event_address(profile: &Profile, urls: &RequestUrls, list: &EntryList, entry: EntryId) -> String {
    match list.item(profile, entry) {
        EntryItem::Call(_) => profile.stacks.file(FuncId(list.func(entry))).to_owned(),
        EntryItem::Marker(marker) => profile
            .locate(marker)
            .map_or_else(String::new, |(thread, local)| address_of_marker(profile, urls, thread, local)),
    }
}
