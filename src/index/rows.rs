//! Rows: which markers stand on one line. Every row holds markers that do not overlap, sorted by start and by end.

mod operations;

use std::collections::HashMap;

use super::first_fit::FirstFit;
use crate::profile::persist::persist;
use crate::profile::{
    Arrangement, CategoryId, Column, LocalMarker, MarkerFlags, Ns, Profile, StringId, Thread, TrackKind,
};

/// What a group of rows shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// All markers of a name.
    Name(StringId),
    /// All network requests.
    Network,
    /// Nested stack-based markers.
    Stack,
    /// Asynchronous operations: those whose outermost slice has this name, each operation's slices nested together.
    Operations(StringId),
}
persist!(enum GroupKind { 0 => Name(name), 1 => Network, 2 => Stack, 3 => Operations(name) });

/// Consecutive rows of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What it shows.
    pub kind: GroupKind,
    /// Category of its first marker (some names occur in several); meaningless for [`GroupKind::Stack`].
    pub category: CategoryId,
    /// Number of its first row in the thread.
    pub first_row: u32,
    /// Number of rows.
    pub rows: u32,
}
persist!(Group { kind, category, first_row, rows });

/// The rows of one thread: `order[ends[r-1]..ends[r]]` are the markers of row r.
#[derive(Clone, Debug, Default)]
pub struct ThreadRows {
    /// Groups in display order.
    pub groups: Vec<Group>,
    order: Column<LocalMarker>,
    ends: Column<u32>,
}
persist!(ThreadRows { groups, order, ends });

impl ThreadRows {
    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The markers of a row in start order.
    #[must_use]
    pub fn row(&self, row: usize) -> &[LocalMarker] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.order[start..self.ends[row] as usize]
    }

    /// The group a row belongs to.
    #[must_use]
    pub fn group_of(&self, row: usize) -> Option<&Group> {
        let after = self.groups.partition_point(|group| group.first_row as usize <= row);
        self.groups.get(after.checked_sub(1)?)
    }

    /// Whether every row lies within the markers.
    pub(super) fn is_consistent(&self) -> bool {
        let last = self.ends.last().map_or(0, |end| *end as usize);
        self.ends.is_sorted() && last == self.order.len()
    }

    /// Heap bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.order.heap_bytes() + self.ends.heap_bytes() + self.groups.capacity() * size_of::<Group>()
    }

    /// Arranges a thread's markers.
    #[must_use]
    pub fn build(profile: &Profile, thread: &Thread, arrangement: Arrangement) -> Self {
        let mut rows = Self { order: Column::with_capacity(thread.markers.len()), ..Self::default() };
        let stacked = |marker: LocalMarker| {
            arrangement == Arrangement::Stack && thread.markers.flags[marker.index()].has(MarkerFlags::STACK_BASED)
        };
        let all = (0..thread.markers.len()).map(LocalMarker::new);
        let (stack, named): (Vec<_>, Vec<_>) = all.partition(|marker| stacked(*marker));
        if arrangement == Arrangement::Stack && thread.kind == TrackKind::Async {
            for (name, category, operations) in operations::operation_rows(profile, thread) {
                rows.add_group(GroupKind::Operations(name), category, operations);
            }
            return rows;
        }
        if !stack.is_empty() {
            rows.add_group(GroupKind::Stack, CategoryId::default(), nested(thread, stack));
        }
        for (kind, category, markers) in groups_by_name(profile, thread, named) {
            rows.add_group(kind, category, packed(thread, &markers));
        }
        rows
    }

    /// Two rows that show where any marker of the thread is, for the line of a collapsed thread: intervals longer than
    /// `long` (backdrop), and over them everything else. In each, a marker contributes what earlier ones leave
    /// uncovered. Without the split one long interval would hide all that happens during it.
    #[must_use]
    pub fn summary(thread: &Thread, long: Ns) -> Self {
        Self::summary_of(thread, long, (0..thread.markers.len()).map(LocalMarker::new))
    }

    /// As [`ThreadRows::summary`], for some of the thread's markers in start order.
    #[must_use]
    pub fn summary_of(thread: &Thread, long: Ns, markers: impl Iterator<Item = LocalMarker>) -> Self {
        let mut rows = [Vec::new(), Vec::new()];
        // Where each row ends so far, and whether a point already lights the pixel that begins there.
        let mut covered = [(i64::MIN, false); 2];
        for marker in markers {
            let (start, end) = (thread.markers.start[marker.index()].0, thread.markers.end[marker.index()].0);
            let row = usize::from(end.saturating_sub(start) <= long.0);
            let (until, lit) = covered[row];
            let point = start == end;
            if end > until || (point && end == until && !lit) {
                rows[row].push(marker);
                covered[row] = (end, point);
            }
        }
        let mut summary = Self::default();
        for row in rows {
            summary.order.extend(row);
            summary.ends.push(u32::try_from(summary.order.len()).unwrap_or(u32::MAX));
        }
        summary.order.shrink_to_fit();
        summary
    }

    /// The same rows with only the markers that `keep` wants; row numbers stay, so rows may be empty.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(LocalMarker) -> bool) -> Self {
        let mut rows = Self::default();
        for row in 0..self.len() {
            rows.order.extend(self.row(row).iter().copied().filter(|marker| keep(*marker)));
            rows.ends.push(u32::try_from(rows.order.len()).unwrap_or(u32::MAX));
        }
        rows
    }

    fn add_group(&mut self, kind: GroupKind, category: CategoryId, rows: Vec<Vec<LocalMarker>>) {
        let first_row = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        let mut count = 0;
        for row in rows.into_iter().filter(|row| !row.is_empty()) {
            self.order.extend(row);
            self.ends.push(u32::try_from(self.order.len()).unwrap_or(u32::MAX));
            count += 1;
        }
        self.groups.push(Group { kind, category, first_row, rows: count });
    }
}

/// How many markers contain each marker of a thread (closed intervals; of async slices, those of the same operation);
/// `None` for what does not nest: markers that are not stack-based, and those that only partly overlap another one.
#[must_use]
pub fn depths(thread: &Thread) -> Vec<Option<u32>> {
    let markers = &thread.markers;
    let mut order: Vec<LocalMarker> = (0..markers.len()).map(LocalMarker::new).collect();
    let group = |marker: LocalMarker| thread.groups.get(marker.index()).copied();
    let (start, end) = (|at: LocalMarker| markers.start[at.index()], |at: LocalMarker| markers.end[at.index()]);
    order.sort_by_key(|&marker| (group(marker), start(marker), std::cmp::Reverse(end(marker)), marker));
    let mut depths = vec![None; markers.len()];
    for operation in order.chunk_by(|a, b| group(*a) == group(*b)) {
        // Ends of what is open, with the depth of the next one inside.
        let mut open: Vec<(Ns, Option<u32>)> = Vec::new();
        for &marker in operation {
            let flags = markers.flags[marker.index()];
            if thread.groups.is_empty() && !flags.has(MarkerFlags::STACK_BASED) {
                continue;
            }
            // What ends where this one begins lies beside it, unless it contains it.
            let beside = |until: Ns| until < start(marker) || (until == start(marker) && end(marker) > until);
            while open.pop_if(|(until, _)| beside(*until)).is_some() {}
            let depth = match open.last() {
                None => Some(0),
                Some((until, inside)) => inside.filter(|_| *until >= end(marker)),
            };
            depths[marker.index()] = depth;
            if !flags.has(MarkerFlags::INSTANT) {
                open.push((end(marker), depth.map(|depth| depth + 1)));
            }
        }
    }
    depths
}

type NamedGroup = (GroupKind, CategoryId, Vec<LocalMarker>);

/// Groups by name in display order, each under its first marker's category; markers stay in start order.
fn groups_by_name(profile: &Profile, thread: &Thread, markers: Vec<LocalMarker>) -> Vec<NamedGroup> {
    let network = profile.strings.find("Network").and_then(|name| profile.types.find(name));
    let mut numbers: HashMap<GroupKind, usize> = HashMap::new();
    let mut groups: Vec<NamedGroup> = Vec::new();
    // Looking a name up in a plain list is much faster, and worth its memory where there are many markers.
    const UNKNOWN: u32 = u32::MAX;
    let is_large = markers.len() >= profile.strings.len() / 8;
    let mut by_name = vec![UNKNOWN; if is_large { profile.strings.len() } else { 0 }];
    for marker in markers {
        let name = thread.markers.name[marker.index()];
        let known = by_name.get(name.index()).copied().unwrap_or(UNKNOWN);
        if known != UNKNOWN && (network.is_none() || thread.markers.kind(marker) != network) {
            groups[known as usize].2.push(marker);
            continue;
        }
        let kind = match thread.markers.kind(marker) {
            Some(kind) if Some(kind) == network => GroupKind::Network,
            _ => GroupKind::Name(name),
        };
        let number = *numbers.entry(kind).or_insert_with(|| {
            groups.push((kind, thread.markers.category(marker), Vec::new()));
            groups.len() - 1
        });
        if let (GroupKind::Name(_), Some(known)) = (kind, by_name.get_mut(name.index())) {
            *known = u32::try_from(number).unwrap_or(UNKNOWN);
        }
        groups[number].2.push(marker);
    }
    groups.sort_by_cached_key(|(kind, category, _)| order_key(profile, *kind, *category));
    groups
}

/// Test first, Other last, else A to Z; network requests last in their category; then by name, ignoring case.
fn order_key(profile: &Profile, kind: GroupKind, category: CategoryId) -> (u8, String, bool, String, String) {
    let category = profile.category_name(category);
    let rank = match category {
        "Test" => 0,
        "Other" => 2,
        _ => 1,
    };
    let (network, name) = match kind {
        GroupKind::Name(name) => (false, profile.strings.get(name)),
        GroupKind::Network | GroupKind::Stack | GroupKind::Operations(_) => (true, ""),
    };
    (rank, category.to_lowercase(), network, name.to_lowercase(), name.to_owned())
}

/// Instants on a row of their own, intervals packed first-fit below.
fn packed(thread: &Thread, markers: &[LocalMarker]) -> Vec<Vec<LocalMarker>> {
    let (instants, intervals): (Vec<_>, Vec<_>) =
        markers.iter().copied().partition(|marker| thread.markers.is_instant(*marker));
    let mut rows = vec![instants];
    let mut fit = FirstFit::new();
    for marker in intervals {
        let (start, end) = (thread.markers.start[marker.index()].0, thread.markers.end[marker.index()].0);
        let row = fit.place(start, end);
        if rows.len() <= row + 1 {
            rows.push(Vec::new());
        }
        rows[row + 1].push(marker);
    }
    rows
}

/// Rows by containment: below every open marker that contains it, on the first row that is free there. Markers that
/// partly overlap an open one thus go to a free row; none is dropped or cut.
///
/// A point contains nothing, so points at one time share a row.
fn nested(thread: &Thread, mut markers: Vec<LocalMarker>) -> Vec<Vec<LocalMarker>> {
    let start = |marker: LocalMarker| thread.markers.start[marker.index()].0;
    let end = |marker: LocalMarker| thread.markers.end[marker.index()].0;
    markers.sort_by_key(|&marker| (start(marker), std::cmp::Reverse(end(marker)), marker));
    let mut rows: Vec<Vec<LocalMarker>> = Vec::new();
    let mut fit = FirstFit::new();
    // Markers that may contain later ones, ends descending: whatever the newest one outlasts is behind it for good.
    let mut open: Vec<(i64, usize)> = Vec::new();
    for marker in markers {
        while open.last().is_some_and(|(open_end, _)| *open_end < end(marker)) {
            open.pop();
        }
        let least = open.last().map_or(0, |(_, row)| row + 1);
        let row = fit.place_from(least, start(marker), end(marker));
        if rows.len() <= row {
            rows.resize_with(row + 1, Vec::new);
        }
        rows[row].push(marker);
        if !thread.markers.is_instant(marker) {
            open.push((end(marker), row));
        }
    }
    rows
}
