//! Groups of a thread's rows: which are listed, the row of a folded group, and the line that stands for the rest.

use super::{MarkerRow, group_name};
use crate::index::{Group, GroupKind, Index, ThreadLayout, ThreadRows};
use crate::profile::text::{format_count, format_counted};
use crate::profile::{Arrangement, ThreadId};
use crate::scene::pointer_hits::PointerHits;
use crate::scene::tracks::{Background, Item, LabelStyle, ROW_HEIGHT, TrackItem, TrackLabel, fold_word};
use crate::scene::{SceneInput, SearchView};
use crate::view::Command;

/// A thread with more groups than this lists only the [`BUSIEST`].
const MANY: usize = 40;
/// Number of groups that such a thread lists.
const BUSIEST: usize = 30;

/// Whether each group of a thread is listed: all if there are not too many, else the stack and those with most markers.
#[must_use]
pub fn listed_groups(rows: &ThreadRows) -> Vec<bool> {
    let groups = &rows.groups;
    let mut listed = vec![groups.len() <= MANY; groups.len()];
    if groups.len() > MANY {
        let mut order: Vec<usize> = (0..groups.len()).collect();
        let is_stack = |group: &Group| group.kind == GroupKind::Stack;
        order.sort_by_key(|at| (!is_stack(&groups[*at]), std::cmp::Reverse(rows.count_in(&groups[*at]))));
        order.iter().take(BUSIEST).for_each(|at| listed[*at] = true);
    }
    listed
}

/// Groups of names with more rows than this are folded when a recording is opened.
const DEEP: u32 = 8;

/// Whether a group is folded when a recording is opened: one of very many rows would push everything else off the screen.
#[must_use]
pub fn is_deep(group: &Group) -> bool {
    group.rows > DEEP && group.kind != GroupKind::Stack
}

/// Height in points of a thread's rows as they are listed when a recording is opened.
#[must_use]
pub fn rows_height(rows: &ThreadRows) -> f64 {
    let listed = listed_groups(rows);
    let rest = f64::from(u8::from(listed.contains(&false)));
    let groups = rows.groups.iter().zip(&listed).filter(|(_, listed)| **listed);
    let count: u32 = groups.map(|(group, _)| if is_deep(group) { 1 } else { group.rows }).sum();
    (f64::from(count) + rest) * ROW_HEIGHT
}

/// The rows that draw a folded group.
#[derive(Debug)]
pub(in crate::scene) struct FoldedRows {
    /// Long intervals, and everything else.
    pub(in crate::scene) all: ThreadLayout,
    /// The same of what a search found, with the number of the search.
    pub(in crate::scene) hits: Option<(u64, ThreadLayout)>,
}

impl FoldedRows {
    /// Builds them for a group.
    pub(in crate::scene) fn build(
        index: &Index,
        thread: ThreadId,
        layout: &ThreadLayout,
        group: &Group,
        search: Option<&SearchView>,
    ) -> Self {
        let markers = layout.rows.markers_in(group);
        let hits = search.map(|search| {
            let found: Vec<_> =
                markers.iter().copied().filter(|marker| search.hits.contains(thread, *marker)).collect();
            (search.number, index.summary_of(thread, &found))
        });
        Self { all: index.summary_of(thread, &markers), hits }
    }
}

/// The only row of a folded group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FoldedGroup {
    /// Which thread.
    pub thread: ThreadId,
    /// Number of the group in the thread.
    pub group: u32,
    /// Its content.
    pub kind: GroupKind,
    /// The arrangement that has the group.
    pub arrangement: Arrangement,
}

impl TrackItem for FoldedGroup {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.thread.0, self.group]
    }

    fn background(&self) -> Background {
        Background::Stripe
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        label_of_group(input, self.thread, self.group as usize, false)
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleGroup(self.thread, self.kind))
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, y: f32) -> PointerHits {
        PointerHits { chart: super::hit(input, x, y), ..PointerHits::default() }
    }
}

/// The label of a group, which stands on its first row.
pub(super) fn label_of_group(input: &SceneInput<'_>, thread: ThreadId, group: usize, expanded: bool) -> TrackLabel {
    let profile = input.index.profile();
    let built = input.index.layout(input.view.arrangement).if_built(thread);
    let Some((layout, group)) = built.and_then(|layout| Some((layout, layout.rows.groups.get(group)?))) else {
        return TrackLabel::default();
    };
    // If the thread is one stack, its heading is label enough.
    if group.kind == GroupKind::Stack && layout.rows.groups.len() == 1 {
        return TrackLabel::default();
    }
    let text = group_name(input, group.kind);
    let swatch = match group.kind {
        GroupKind::Stack => None,
        GroupKind::Name(name) | GroupKind::Operations(name) if profile.meta.colors_by_name => {
            Some(crate::index::color_of_name(profile.strings.get(name)))
        }
        GroupKind::Name(_) | GroupKind::Operations(_) | GroupKind::Network => {
            let category = profile.categories.get(group.category.index());
            category.map(|category| crate::index::color_index(&category.color))
        }
    };
    let found = input.search.and_then(|search| search.layout.thread(thread));
    let shown = found.filter(|found| found.rows.len() == layout.rows.len()).unwrap_or(layout);
    let count = shown.rows.count_in(group) as u64;
    let mut spoken = format!("{text}, {}, {}", profile.category_name(group.category), format_counted(count, "marker"));
    if group.rows > 1 {
        spoken = format!("{spoken}, {}", fold_word(expanded));
    }
    TrackLabel {
        text: text.to_owned(),
        right: format_count(count),
        spoken,
        swatch,
        expanded: (group.rows > 1).then_some(expanded),
        ..TrackLabel::default()
    }
}

/// The line below the listed groups of a thread that has more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoreGroups {
    /// Which thread.
    pub thread: ThreadId,
    /// How many groups are not among the busiest.
    pub count: u32,
    /// Whether they are listed, too.
    pub shown: bool,
}

impl TrackItem for MoreGroups {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.thread.0, 0]
    }

    fn label(&self, _input: &SceneInput<'_>) -> TrackLabel {
        let names = format_counted(u64::from(self.count), "name");
        let (text, right) = match self.shown {
            false => (format!("{} more", format_count(u64::from(self.count))), "show"),
            true => (format!("{names} with fewer markers"), "hide"),
        };
        TrackLabel {
            spoken: format!("{names} with fewer markers, {right}"),
            text,
            right: right.into(),
            style: LabelStyle::More,
            expanded: Some(self.shown),
            ..TrackLabel::default()
        }
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleMoreGroups(self.thread))
    }
}

impl SceneInput<'_> {
    /// The headings of the topmost row on screen that are scrolled away: of its thread, then of its group.
    #[must_use]
    pub fn sticky_headings(&self) -> Vec<Item> {
        use crate::scene::{ItemKind, ThreadHeading};
        let Some(top) = self.visible_items().first() else { return Vec::new() };
        let thread = match top.kind {
            ItemKind::Row(MarkerRow { thread, .. })
            | ItemKind::FoldedGroup(FoldedGroup { thread, .. })
            | ItemKind::MoreGroups(MoreGroups { thread, .. }) => thread,
            _ => return Vec::new(),
        };
        let above = &self.list.items()[..=self.list.position(top.y)];
        let is_heading =
            |item: &&Item| matches!(item.kind, ItemKind::Thread(ThreadHeading { thread: of, .. }) if of == thread);
        let mut headings: Vec<Item> = above.iter().rev().find(is_heading).copied().into_iter().collect();
        if let ItemKind::Row(MarkerRow { group, .. }) = top.kind {
            let is_group =
                |item: &&Item| matches!(item.kind, ItemKind::Row(row) if row.first_of_group && row.group == group);
            headings.extend(above.iter().rev().find(is_group).filter(|item| !item.kind.label(self).spoken.is_empty()));
        }
        headings
    }
}
