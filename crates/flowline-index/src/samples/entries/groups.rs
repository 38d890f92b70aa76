//! Groups of trace events and calls: the functions that events called, and the addresses by which trees are grouped.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::address::address_of_marker;
use super::entry::CALL;
use crate::network::RequestUrls;
use crate::samples::trees::{Grouping, third_party};
use flowline_profile::samples::ResourceKind;
use flowline_profile::{LocalMarker, Profile, StackId, ThreadId};

/// Number of candidates whose arguments are read at once.
const BLOCK: usize = 1 << 14;

/// Number of a group of entries.
pub(super) type GroupNumber = u16;
/// The group of entries without a title and an address.
pub(super) const NO_GROUP: GroupNumber = 0;

/// The property that divides entries with equal names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct EntryGroup {
    /// Title of calls of a function; empty for entries that are titled with their name.
    pub(super) title: String,
    /// Address by which trees are grouped; empty without one.
    pub(super) address: String,
}

/// Groups of entries by function and address.
#[derive(Clone, Debug)]
pub(super) struct EntryGroups {
    grouping: Grouping,
    /// True if events have the titles of what they called.
    pub(super) has_titles: bool,
    urls: Arc<RequestUrls>,
    /// The groups, by number.
    pub(super) all: Vec<EntryGroup>,
    known: HashMap<EntryGroup, GroupNumber>,
}

impl EntryGroups {
    /// Creates the groups, if entries with equal names can be in different groups.
    pub(super) fn new(profile: &Profile, grouping: Grouping, has_titles: bool) -> Option<Self> {
        let none = EntryGroup::default();
        let is_by_address = grouping.is_by_address();
        let urls = if is_by_address { RequestUrls::new(profile) } else { RequestUrls::default() };
        let known = HashMap::from([(none.clone(), NO_GROUP)]);
        let groups = || Self { grouping, has_titles, urls: Arc::new(urls), all: vec![none], known };
        (is_by_address || has_titles).then(groups)
    }

    /// True if trees are grouped by the addresses.
    pub(super) const fn is_by_address(&self) -> bool {
        self.grouping.is_by_address()
    }

    fn number(&mut self, group: EntryGroup) -> GroupNumber {
        if let Some(known) = self.known.get(&group) {
            return *known;
        }
        // The last number is shared by all further groups.
        let next = GroupNumber::try_from(self.all.len()).unwrap_or(GroupNumber::MAX);
        if next < GroupNumber::MAX {
            self.all.push(group.clone());
            self.known.insert(group, next);
        } else if self.all.len() == usize::from(GroupNumber::MAX) {
            self.all.push(EntryGroup { title: String::new(), address: "(other addresses)".to_owned() });
        }
        next
    }

    /// Groups of markers and, with [`CALL`], calls of a thread. `stack` returns the stack of a visible entry.
    pub(super) fn of(
        &mut self,
        profile: &Profile,
        thread: ThreadId,
        numbers: &[u32],
        stack: impl Fn(u32) -> Option<StackId> + Sync,
    ) -> Vec<GroupNumber> {
        let urls = Arc::clone(&self.urls);
        let (grouping, has_titles) = (self.grouping, self.has_titles);
        let markers = &profile.thread(thread).markers;
        let title = |number: u32| {
            let marker = LocalMarker(number & !CALL);
            let is_titled = has_titles && number & CALL == 0 && profile.is_call_name(markers.name(marker));
            is_titled.then(|| profile.call_title(thread, marker)).flatten().unwrap_or_default()
        };
        let address = |number: u32, stack: StackId| {
            let func = profile.stacks.func(stack);
            let (address, resource) = if number & CALL == 0 {
                (address_of_marker(profile, &urls, thread, LocalMarker(number)), None)
            } else {
                (profile.stacks.file(func).to_owned(), profile.stacks.resource(func))
            };
            let is_site = grouping == Grouping::ThirdParty;
            if is_site { third_party(&address, resource.unwrap_or((ResourceKind::UNKNOWN, ""))) } else { address }
        };
        let group = |number: &u32| {
            let Some(stack) = stack(*number) else { return EntryGroup::default() };
            let address = if grouping.is_by_address() { address(*number, stack) } else { String::new() };
            EntryGroup { title: title(*number), address }
        };
        let mut groups = Vec::with_capacity(numbers.len());
        for block in numbers.chunks(BLOCK) {
            let found: Vec<EntryGroup> = block.par_iter().map(group).collect();
            groups.extend(found.into_iter().map(|group| self.number(group)));
        }
        groups
    }
}
