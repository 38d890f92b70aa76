//! Threads: their headings, which show a summary while they are collapsed, and their rows of markers.

mod hit;
mod markers;
mod visible_span_cache;

pub use hit::{Hit, hit};
pub(in crate::scene) use markers::MarkerPainter;

use super::{Background, Item, LabelStyle, ROW_HEIGHT, THREAD_HEIGHT, TrackItem, TrackLabel, fold_word};
use crate::index::GroupKind;
use crate::profile::ThreadId;
use crate::profile::text::{format_count, format_counted};
use crate::scene::SceneInput;
use crate::scene::pointer_hits::PointerHits;
use crate::view::Command;

/// Heading of a thread; a collapsed one shows its summary on the same line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadHeading {
    /// Which thread.
    pub thread: ThreadId,
    /// Whether its rows follow.
    pub expanded: bool,
}

/// A row of an expanded thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MarkerRow {
    /// Which thread.
    pub thread: ThreadId,
    /// Number of the row in the thread.
    pub row: u32,
    /// Whether it is the first of its group, which carries the group's name.
    pub first_of_group: bool,
}

impl TrackItem for ThreadHeading {
    fn height(&self) -> f64 {
        THREAD_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.thread.0, 0]
    }

    fn background(&self) -> Background {
        Background::TrackHeading { expanded: self.expanded }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let data = input.index.profile().thread(self.thread);
        let hits = input.search.map(|search| search.hits.thread(self.thread).len());
        let count = hits.unwrap_or(data.markers.len());
        let counted = format_counted(count as u64, if hits.is_some() { "hit" } else { "marker" });
        TrackLabel {
            text: if data.name.is_empty() { format!("Thread {}", data.tid) } else { data.name.clone() },
            right: format_count(count as u64),
            spoken: format!("Thread {}, {counted}, {}", data.name, fold_word(self.expanded)),
            style: LabelStyle::Track,
            expanded: Some(self.expanded),
            ..TrackLabel::default()
        }
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleThread(self.thread))
    }

    fn menu(&self) -> Vec<(&'static str, Command)> {
        vec![
            ("Hide this thread", Command::HideThread(self.thread)),
            ("Show only this thread", Command::ShowOnly(self.thread)),
            ("Show all threads", Command::ShowAll),
            ("Expand all threads", Command::ExpandAll),
            ("Collapse all threads", Command::CollapseAll),
        ]
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, y: f32) -> PointerHits {
        PointerHits { chart: hit(input, x, y), ..PointerHits::default() }
    }
}

impl TrackItem for MarkerRow {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.thread.0, self.row]
    }

    fn background(&self) -> Background {
        if self.row % 2 == 1 { Background::Stripe } else { Background::Plain }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let (profile, row) = (input.index.profile(), self.row as usize);
        let built = input.index.layout(input.view.arrangement).if_built(self.thread).filter(|_| self.first_of_group);
        let Some((layout, group)) = built.and_then(|layout| Some((layout, layout.rows.group_of(row)?))) else {
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
        let rows = group.first_row as usize..(group.first_row + group.rows) as usize;
        let found = input.search.and_then(|search| search.layout.thread(self.thread));
        let shown = found.filter(|found| found.rows.len() == layout.rows.len()).unwrap_or(layout);
        let count: usize = rows.map(|row| shown.rows.row(row).len()).sum();
        TrackLabel {
            text: text.to_owned(),
            right: format_count(count as u64),
            spoken: format!("{text}, {}, {}", profile.category_name(group.category), format_counted(count as u64, "marker")),
            swatch,
            ..TrackLabel::default()
        }
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, y: f32) -> PointerHits {
        PointerHits { chart: hit(input, x, y), ..PointerHits::default() }
    }
}

fn group_name<'a>(input: &SceneInput<'a>, kind: GroupKind) -> &'a str {
    match kind {
        GroupKind::Name(name) | GroupKind::Operations(name) => input.index.profile().strings.get(name),
        GroupKind::Network => "Network Requests",
        GroupKind::Stack => "Stack",
    }
}

impl SceneInput<'_> {
    /// The thread, and the group, of the topmost row on screen when their headings are scrolled away.
    #[must_use]
    pub fn sticky_heading(&self) -> Option<String> {
        let super::ItemKind::Row(MarkerRow { thread, row, .. }) = self.visible_items().first()?.kind else {
            return None;
        };
        let layout = self.index.layout(self.view.arrangement).if_built(thread)?;
        let name = &self.index.profile().thread(thread).name;
        let group = layout.rows.group_of(row as usize)?;
        Some(match group.kind {
            GroupKind::Stack => name.clone(),
            kind => format!("{name} › {}", group_name(self, kind)),
        })
    }
}
