//! The rows of one thread, in groups.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::internals::is_internal;
use super::landmarks::{is_landmark, is_page_milestone};
use super::operations;
use super::packing::{nest_rows, pack_rows};
use flowline_profile::persist::persist;
use flowline_profile::{
    Arrangement, Attributes, CategoryId, Column, GroupKind, LocalMarker, MarkerFlags, Ns, Profile, Thread, TrackKind,
};

/// Consecutive rows of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its content.
    pub kind: GroupKind,
    /// Category of its first marker, since some names occur in several categories. Meaningless for
    /// [`GroupKind::Stack`].
    pub category: CategoryId,
    /// Index of its first row in the thread.
    pub first_row: u32,
    /// Number of rows.
    pub rows: u32,
    /// Sum of the durations of its markers.
    pub time: Ns,
    /// True if it is listed however many other groups there are: a milestone, long tasks, garbage collection, refresh ticks.
    pub always_listed: bool,
}

persist!(Group { kind, category, first_row, rows, time, always_listed });

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
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no rows.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The markers of a row in start order.
    #[must_use]
    #[inline]
    pub fn row(&self, row: usize) -> &[LocalMarker] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.order[start..self.ends[row] as usize]
    }

    /// Number of markers in a group.
    #[must_use]
    #[inline]
    pub fn count_in(&self, group: &Group) -> usize {
        let end = |row: u32| row.checked_sub(1).map_or(0, |row| self.ends.get(row as usize).copied().unwrap_or(0));
        (end(group.first_row + group.rows) - end(group.first_row)) as usize
    }

    /// The markers of a group in start order.
    #[must_use]
    pub fn markers_in(&self, group: &Group) -> Vec<LocalMarker> {
        let rows = group.first_row as usize..(group.first_row + group.rows) as usize;
        // Markers are numbered in start order.
        let mut markers: Vec<LocalMarker> = rows.flat_map(|row| self.row(row)).copied().collect();
        markers.sort_unstable();
        markers
    }

    /// The group of a row.
    #[must_use]
    #[inline]
    pub fn group_of(&self, row: usize) -> Option<&Group> {
        let after = self.groups.partition_point(|group| group.first_row as usize <= row);
        self.groups.get(after.checked_sub(1)?)
    }

    /// True if the columns are consistent with each other.
    #[inline]
    pub(crate) fn is_consistent(&self) -> bool {
        let last = self.ends.last().map_or(0, |end| *end as usize);
        self.ends.is_sorted() && last == self.order.len()
    }

    /// Heap bytes used.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.order.heap_bytes() + self.ends.heap_bytes() + self.groups.capacity() * size_of::<Group>()
    }

    /// Arranges a thread's markers.
    #[must_use]
    #[inline]
    pub fn build(profile: &Profile, thread: &Thread, arrangement: Arrangement) -> Self {
        Self::build_of(profile, thread, arrangement, |_| true)
    }

    /// Arranges only the markers of a thread for which `keep` returns true.
    pub(crate) fn build_of(
        profile: &Profile,
        thread: &Thread,
        arrangement: Arrangement,
        keep: impl Fn(&LocalMarker) -> bool,
    ) -> Self {
        let mut rows = Self { order: Column::with_capacity(thread.markers.len()), ..Self::default() };
        let attributes = thread.markers.attributes();
        let nests = |own: &Attributes| arrangement == Arrangement::Stack && own.flags.has(MarkerFlags::STACK_BASED);
        let nests: Vec<bool> = attributes.items().iter().map(nests).collect();
        if arrangement == Arrangement::Stack && thread.kind == TrackKind::Async {
            for (name, category, operations) in operations::operation_rows(profile, thread, &keep) {
                rows.add_group(profile, thread, (GroupKind::Operations(name), category), operations);
            }
            return rows;
        }
        let (mut stack, mut named) = (Vec::new(), Vec::new());
        for marker in (0..thread.markers.len()).map(LocalMarker::new).filter(keep) {
            let list = if nests[attributes.number(marker.index())] { &mut stack } else { &mut named };
            if list.is_empty() {
                // Most threads use only one of the two lists, and untouched memory costs nothing.
                list.reserve_exact(thread.markers.len() - marker.index());
            }
            list.push(marker);
        }
        if !stack.is_empty() {
            rows.add_group(profile, thread, (GroupKind::Stack, CategoryId::default()), nest_rows(thread, stack));
        }
        for (kind, category, markers) in groups_by_name(profile, thread, arrangement, named) {
            rows.add_group(profile, thread, (kind, category), pack_rows(thread, &markers));
        }
        rows
    }

    /// The rows of a stack, followed by the other markers by name.
    pub(crate) fn of_stack(
        profile: &Profile,
        thread: &Thread,
        stack: Vec<Vec<LocalMarker>>,
        named: Vec<LocalMarker>,
    ) -> Self {
        let mut rows = Self { order: Column::with_capacity(thread.markers.len()), ..Self::default() };
        rows.add_group(profile, thread, (GroupKind::Stack, CategoryId::default()), stack);
        for (kind, category, markers) in groups_by_name(profile, thread, Arrangement::Stack, named) {
            rows.add_group(profile, thread, (kind, category), pack_rows(thread, &markers));
        }
        rows
    }

    /// The two summary rows of a collapsed thread: intervals longer than `long` as the backdrop, and everything else. A
    /// marker contributes only the time that earlier markers of its row leave uncovered. With a single row, one long
    /// interval would hide everything that happens during it.
    #[must_use]
    #[inline]
    pub fn summary(thread: &Thread, long: Ns) -> Self {
        Self::summary_for(thread, long, (0..thread.markers.len()).map(LocalMarker::new))
    }

    /// Like [`ThreadRows::summary`], for a subset of the thread's markers in start order.
    #[must_use]
    pub fn summary_for(thread: &Thread, long: Ns, markers: impl Iterator<Item = LocalMarker>) -> Self {
        let mut rows = [Vec::new(), Vec::new()];
        // Current end of each row, and a flag that is set if an instant already lights the pixel that begins there.
        let mut covered = [(i64::MIN, false); 2];
        for marker in markers {
            let range = thread.markers.range(marker);
            let (start, end) = (range.start.0, range.end.0);
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

    /// The rows with only the markers for which `keep` returns true. Row numbers stay the same, so rows may become
    /// empty.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(LocalMarker) -> bool) -> Self {
        let mut rows = Self::default();
        for row in 0..self.len() {
            rows.order.extend(self.row(row).iter().copied().filter(|marker| keep(*marker)));
            rows.ends.push(u32::try_from(rows.order.len()).unwrap_or(u32::MAX));
        }
        rows
    }

    fn add_group(
        &mut self,
        profile: &Profile,
        thread: &Thread,
        (kind, category): (GroupKind, CategoryId),
        rows: Vec<Vec<LocalMarker>>,
    ) {
        let first_row = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        let mut count = 0;
        let times = thread.markers.times();
        let durations = rows.iter().flatten().map(|marker| times.range(marker.index()).len());
        let time = Ns(durations.fold(0, i64::saturating_add));
        let always_listed = matches!(kind, GroupKind::Name(name) if is_landmark(profile.strings.get(name)));
        // Rows of a stack without markers have calls.
        for row in rows.into_iter().filter(|row| kind == GroupKind::Stack || !row.is_empty()) {
            self.order.extend(row);
            self.ends.push(u32::try_from(self.order.len()).unwrap_or(u32::MAX));
            count += 1;
        }
        self.groups.push(Group { kind, category, first_row, rows: count, time, always_listed });
    }
}

/// The nesting depth of each marker of a thread: the number of markers that contain it, as closed intervals.
/// Asynchronous slices nest only in slices of their operation. `None` for markers that do not nest: those that are not
/// stack-based, and those that partly overlap another marker.
#[must_use]
pub fn depths(thread: &Thread) -> Vec<Option<u32>> {
    let markers = &thread.markers;
    let mut order: Vec<LocalMarker> = (0..markers.len()).map(LocalMarker::new).collect();
    let group = |marker: LocalMarker| thread.groups.get(marker.index()).copied();
    let (start, end) = (|at: LocalMarker| markers.start(at), |at: LocalMarker| markers.end(at));
    order.sort_by_key(|&marker| (group(marker), start(marker), std::cmp::Reverse(end(marker)), marker));
    let mut depths = vec![None; markers.len()];
    for operation in order.chunk_by(|a, b| group(*a) == group(*b)) {
        // Ends of the open markers, with the depth of their direct children.
        let mut open: Vec<(Ns, Option<u32>)> = Vec::new();
        for &marker in operation {
            let flags = markers.flags(marker);
            if thread.groups.is_empty() && !flags.has(MarkerFlags::STACK_BASED) {
                continue;
            }
            // A marker that ends at the start of this one is a sibling, unless it contains this one.
            let is_closed = |until: Ns| until < start(marker) || (until == start(marker) && end(marker) > until);
            while open.pop_if(|(until, _)| is_closed(*until)).is_some() {}
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

/// Groups by name, those that took most time first, each under the category of its first marker. Markers stay in start order.
fn groups_by_name(
    profile: &Profile,
    thread: &Thread,
    arrangement: Arrangement,
    markers: Vec<LocalMarker>,
) -> Vec<NamedGroup> {
    let network = profile.strings.find("Network").and_then(|name| profile.types.find(name));
    // Recordings whose slices nest have names of their own.
    let folds = !profile.meta.capabilities.nests_slices;
    let mut numbers: HashMap<GroupKind, usize> = HashMap::new();
    let mut groups: Vec<NamedGroup> = Vec::new();
    // The group of each attribute combination.
    let attributes = thread.markers.attributes();
    let mut group_of: Vec<Option<usize>> = vec![None; attributes.items().len()];
    for marker in markers {
        let number = attributes.number(marker.index());
        let group = *group_of[number].get_or_insert_with(|| {
            let own = attributes.items()[number];
            let kind = match own.kind() {
                Some(kind) if Some(kind) == network => GroupKind::Network,
                _ if folds && is_internal(profile.strings.get(own.name)) => GroupKind::Internals,
                _ => GroupKind::Name(own.name),
            };
            *numbers.entry(kind).or_insert_with(|| {
                groups.push((kind, own.category(), Vec::new()));
                groups.len() - 1
            })
        });
        groups[group].2.push(marker);
    }
    groups.sort_by_cached_key(|group| order_key(profile, thread, arrangement, group));
    groups
}

/// Rank by content, time, name ignoring case, name.
type OrderKey = (u8, Reverse<i64>, String, String);

/// Sort key: bookkeeping comes last, in a stack after the milestones of page loads, which have flags above the chart. Then the
/// time of all markers decides, and for equal times the name. Numbers of markers never decide.
fn order_key(profile: &Profile, thread: &Thread, arrangement: Arrangement, group: &NamedGroup) -> OrderKey {
    let (kind, _, markers) = group;
    let times = thread.markers.times();
    let time = markers.iter().fold(0_i64, |sum, marker| sum.saturating_add(times.range(marker.index()).len()));
    let name = match kind {
        GroupKind::Name(name) => profile.strings.get(*name),
        GroupKind::Network | GroupKind::Stack | GroupKind::Operations(_) | GroupKind::Internals => "",
    };
    let rank = match kind {
        GroupKind::Internals => 2,
        _ => u8::from(arrangement == Arrangement::Stack && is_page_milestone(name)),
    };
    (rank, Reverse(time), name.to_lowercase(), name.to_owned())
}
