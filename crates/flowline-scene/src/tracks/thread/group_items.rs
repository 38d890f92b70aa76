//! The row of a collapsed group, the line for unlisted groups, and sticky headings.

use super::group_name::group_name;
use super::track_indent::{LEVEL_INDENT, track_indent};
use crate::layout::{
    CallRow, CollapsedGroup, Item, ItemKind, MarkerRow, MoreGroups, PointerHits, ROW_HEIGHT, SamplesHeading,
    SceneInput, ThreadHeading,
};
use crate::tracks::track_item::expansion_text;
use crate::tracks::{Background, LabelStyle, TrackItem, TrackLabel};
use flowline_format::{format_count, format_count_short, format_counted};
use flowline_index::GroupKind;
use flowline_profile::ThreadId;
use flowline_view::Command;

impl TrackItem for CollapsedGroup {
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

/// The label of a group, shown on its first row.
pub(super) fn label_of_group(input: &SceneInput<'_>, thread: ThreadId, group: usize, expanded: bool) -> TrackLabel {
    let profile = input.index.profile();
    let built = input.list.shown().layout(input.index, input.view.arrangement, thread);
    let Some((layout, group)) = built.and_then(|layout| Some((layout, layout.rows.groups.get(group)?))) else {
        return TrackLabel::default();
    };
    // If the thread consists of one stack, its heading is enough.
    if group.kind == GroupKind::Stack && layout.rows.groups.len() == 1 {
        return TrackLabel::default();
    }
    let text = group_name(input, group.kind);
    let first = layout.rows.row(group.first_row as usize).first().copied();
    let marker = first
        .filter(|_| !matches!(group.kind, GroupKind::Stack | GroupKind::Internals))
        .map(|local| profile.thread(thread).global(local));
    let swatch = marker.map(|marker| input.index.source().styles.get(marker).colors().get(input.view.color_by));
    let found = input.scope.search().and_then(|search| search.layout.thread(thread));
    let shown = found.filter(|found| found.rows.len() == layout.rows.len()).unwrap_or(layout);
    let (data, rows) = (profile.thread(thread), group.first_row..group.first_row + group.rows);
    let count: usize = rows.map(|row| input.scope.count_in_row(data, shown.rows.row(row as usize))).sum();
    let count = count as u64;
    let mut spoken = format!("{text}, {}, {}", profile.category_name(group.category), format_counted(count, "marker"));
    if group.rows > 1 {
        spoken = format!("{spoken}, {}", expansion_text(expanded));
    }
    TrackLabel {
        text: text.to_owned(),
        right: format_count_short(count),
        spoken,
        swatch,
        indent: track_indent(profile, thread),
        expanded: (group.rows > 1).then_some(expanded),
        ..TrackLabel::default()
    }
}

impl TrackItem for MoreGroups {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.thread.0, 0]
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let count = format_count(u64::from(self.count));
        let right = if self.shown { "hide" } else { "show" };
        TrackLabel {
            spoken: format!("{count} more {}, {right}", if self.count == 1 { "name" } else { "names" }),
            text: format!("{count} more"),
            right: right.into(),
            style: LabelStyle::More,
            indent: track_indent(input.index.profile(), self.thread) + LEVEL_INDENT,
            expanded: Some(self.shown),
            ..TrackLabel::default()
        }
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleMoreGroups(self.thread))
    }
}

impl SceneInput<'_> {
    /// The headings of the topmost row on screen that are scrolled out of view: of its thread, then of its group.
    #[must_use]
    pub fn sticky_headings(&self) -> Vec<Item> {
        let Some(top) = self.visible_items().first() else { return Vec::new() };
        let thread = match top.kind {
            ItemKind::Row(MarkerRow { thread, .. })
            | ItemKind::CollapsedGroup(CollapsedGroup { thread, .. })
            | ItemKind::MoreGroups(MoreGroups { thread, .. })
            | ItemKind::Samples(SamplesHeading { thread, .. })
            | ItemKind::Calls(CallRow { thread, .. }) => thread,
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
        if matches!(top.kind, ItemKind::Calls(_)) {
            headings.extend(above.iter().rev().find(|item| matches!(item.kind, ItemKind::Samples(_))));
        }
        headings
    }
}
