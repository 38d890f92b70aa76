//! Groups of trace events and calls: the addresses by which trees are grouped.

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
/// The group of entries without an address.
pub(super) const NO_GROUP: GroupNumber = 0;

/// Groups of entries by address.
#[derive(Clone, Debug)]
pub(super) struct EntryGroups {
    grouping: Grouping,
    urls: Arc<RequestUrls>,
    /// Names of the groups.
    pub(super) names: Vec<String>,
    known: HashMap<String, GroupNumber>,
}

impl EntryGroups {
    /// Creates the groups, if entries with equal names can be in different groups.
    pub(super) fn new(profile: &Profile, grouping: Grouping) -> Option<Self> {
        let known = HashMap::from([(String::new(), NO_GROUP)]);
        let urls = || Arc::new(RequestUrls::new(profile));
        grouping.is_by_address().then(|| Self { grouping, urls: urls(), names: vec![String::new()], known })
    }

    fn number(&mut self, name: String) -> GroupNumber {
        if let Some(known) = self.known.get(&name) {
            return *known;
        }
        // The last number is shared by all further groups.
        let next = GroupNumber::try_from(self.names.len()).unwrap_or(GroupNumber::MAX);
        if next < GroupNumber::MAX {
            self.names.push(name.clone());
            self.known.insert(name, next);
        } else if self.names.len() == usize::from(GroupNumber::MAX) {
            self.names.push("(other addresses)".to_owned());
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
        let is_site = self.grouping == Grouping::ThirdParty;
        let urls = Arc::clone(&self.urls);
        let name = |number: &u32| {
            let Some(stack) = stack(*number) else { return String::new() };
            let func = profile.stacks.func(stack);
            let (address, resource) = if number & CALL == 0 {
                (address_of_marker(profile, &urls, thread, LocalMarker(*number)), None)
            } else {
                (profile.stacks.file(func).to_owned(), profile.stacks.resource(func))
            };
            if is_site { third_party(&address, resource.unwrap_or((ResourceKind::UNKNOWN, ""))) } else { address }
        };
        let mut groups = Vec::with_capacity(numbers.len());
        for block in numbers.chunks(BLOCK) {
            let names: Vec<String> = block.par_iter().map(name).collect();
            groups.extend(names.into_iter().map(|name| self.number(name)));
        }
        groups
    }
}
