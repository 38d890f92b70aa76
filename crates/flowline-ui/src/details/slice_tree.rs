//! The selected marker's slice as a tree: callers, contents, stacks, and members of the event outside the payload.

use egui::{Id, Ui};

use crate::details::payload_tree::{self, PayloadRowBuilder, PayloadTarget};
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::table::counted;
use crate::widgets::tree::{self, ExpansionState, PAGE, RowAction, RowStyle, TreeIdentity, TreeRow};
use flowline_format::format_duration_ns;
use flowline_index::Index;
use flowline_index::nesting::{Contents, NameGroup};
use flowline_profile::stack::StackTrace;
use flowline_profile::text::{FileLocation, LabelKind};
use flowline_profile::{DisplayClock, LocalMarker, MarkerId, ThreadId, TrackKind, Value};
use flowline_scene::Palette;
use flowline_session::{SliceDetails, percent_text};
use flowline_session::{duration_text, time_text};
use flowline_view::Command;

/// Number of frames, ancestors and groups shown initially.
const FIRST_ROWS: usize = 40;

/// Target of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum SliceTarget {
    /// None; the row is a heading.
    #[default]
    Nothing,
    /// A slice to select.
    Slice(MarkerId),
    /// A frame, by stack number and frame number.
    Frame(usize, usize),
    /// A stack, by number.
    Stack(usize),
    /// The row that shows more entries of a list.
    More(Id),
    /// A member of the event.
    Member(PayloadTarget),
}

const SLICE_MENU: &[&str] = &["Copy name", "Zoom to slice"];
const FRAME_MENU: &[&str] = &["Copy frame", "Copy stack"];
const PLACE_MENU: &[&str] = &["Copy frame", "Copy stack", "Open in editor"];
const STACK_MENU: &[&str] = &["Copy stack"];

/// Id of the tree's widget.
pub(crate) fn slice_id() -> Id {
    Id::unique("slice tree")
}

/// State of the tree.
#[derive(Default)]
pub struct SliceTree {
    marker: Option<MarkerId>,
    expansion: ExpansionState,
    /// The rows, and the revisions of details and expansion state they were built for.
    rows: (Vec<TreeRow<SliceTarget>>, Option<(u64, u64)>),
}

/// Builds the rows.
struct SliceTreeBuilder<'a> {
    index: &'a Index,
    clock: DisplayClock,
    details: &'a SliceDetails,
    expansion: &'a ExpansionState,
    thread: ThreadId,
    marker: LocalMarker,
    rows: Vec<TreeRow<SliceTarget>>,
}

impl SliceTree {
    /// Shows the tree, unless it is empty; returns the user's commands.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        (index, clock): (&Index, DisplayClock),
        details: &SliceDetails,
        palette: &Palette,
    ) -> Vec<Command> {
        let mut commands = Vec::new();
        let Some((id, thread, marker)) = details.marker else { return commands };
        if self.marker.replace(id) != Some(id) {
            self.expansion.reset_pages();
        }
        let key = Some((details.revision(), self.expansion.revision()));
        if self.rows.1 != key {
            let mut builder = SliceTreeBuilder {
                index,
                clock,
                details,
                expansion: &self.expansion,
                thread,
                marker,
                rows: Vec::new(),
            };
            builder.all();
            self.rows = (builder.rows, key);
        }
        let rows = &self.rows.0;
        if rows.is_empty() {
            return commands;
        }
        ui.add_space(6.0);
        let label = "Slice tree: callers, contents, stack, event; arrow keys expand and collapse, Enter selects";
        let done = tree::show(ui, TreeIdentity { id: slice_id(), label }, &mut self.expansion, rows, palette);
        let Some((row, action)) = done.and_then(|(row, action)| Some((rows.get(row)?, action))) else {
            return commands;
        };
        match (&row.target, action) {
            (SliceTarget::Slice(marker), RowAction::Press) => commands.push(Command::Reveal(*marker)),
            (SliceTarget::Slice(_), RowAction::Menu(0)) => ui.copy_text(row.name.clone()),
            (SliceTarget::Slice(marker), RowAction::Menu(_)) => commands.push(Command::ZoomToMarker(*marker)),
            (SliceTarget::More(list), RowAction::Press) => self.expansion.show_more(*list),
            (SliceTarget::Frame(stack, frame), RowAction::Menu(0)) => {
                let frame = details.stacks.get(*stack).and_then(|stack| stack.frames.get(*frame));
                frame.into_iter().for_each(|frame| ui.copy_text(frame_text(&frame.name, &frame.place)));
            }
            (SliceTarget::Frame(stack, frame), RowAction::Menu(2)) => {
                let frame = details.stacks.get(*stack).and_then(|stack| stack.frames.get(*frame));
                let place = frame.and_then(|frame| FileLocation::parse(&frame.place));
                place.into_iter().for_each(|place| post(ui.ctx(), WidgetRequest::OpenInEditor(place)));
            }
            (SliceTarget::Frame(stack, _), RowAction::Menu(_)) | (SliceTarget::Stack(stack), RowAction::Menu(_)) => {
                details.stacks.get(*stack).into_iter().for_each(|stack| ui.copy_text(stack_text(stack)));
            }
            (SliceTarget::Member(place), action) => {
                payload_tree::apply_action(ui, &mut self.expansion, ("", &details.event), place, action)
            }
            _ => {}
        }
        commands
    }
}

impl SliceTreeBuilder<'_> {
    /// A number of slices or markers, whichever term the recording's format uses.
    fn slices(&self, count: usize) -> String {
        let is_event = self.index.profile().source.holds_events();
        counted(count, if is_event { "slice" } else { "marker" })
    }

    fn all(&mut self) {
        self.ancestors();
        self.contents();
        self.stacks();
        self.event();
        let count = self.rows.iter().filter(|row| row.level == 1).count();
        let sections = self.rows.iter_mut().filter(|row| row.level == 1);
        sections.enumerate().for_each(|(at, row)| row.place = (at, count));
    }

    /// Adds a heading; returns true if it is expanded.
    fn section(&mut self, id: Id, name: &str, value: String, open: Option<bool>) -> bool {
        let open = open.map(|default| self.expansion.is_open(id, default));
        let style = RowStyle::Heading;
        self.rows.push(TreeRow {
            id: Some(id),
            level: 1,
            open,
            name: name.to_owned(),
            value,
            style,
            ..TreeRow::default()
        });
        open == Some(true)
    }

    /// Adds a row that shows more of a list, if only `shown` of `count` entries are shown.
    fn more(&mut self, list: Id, level: usize, (shown, count): (usize, usize)) {
        if shown < count {
            let left = count - shown;
            self.rows.push(TreeRow {
                id: Some(list.with("more")),
                level,
                place: (shown, count),
                name: format!("Show {} more", crate::widgets::grouped(left.min(PAGE))),
                value: if left > PAGE { format!("of {}", crate::widgets::grouped(left)) } else { String::new() },
                style: RowStyle::More,
                target: SliceTarget::More(list),
                ..TreeRow::default()
            });
        }
    }

    /// Number of visible entries of a list: few initially, then one page more at a time.
    fn shown(&self, list: Id, count: usize) -> usize {
        (self.expansion.shown(list) - PAGE + FIRST_ROWS).min(count)
    }

    fn color(&self, marker: LocalMarker) -> Option<u8> {
        let marker = self.index.profile().thread(self.thread).global(marker);
        Some(self.index.source().styles.get(marker).color())
    }

    fn slice(&self, id: Id, level: usize, marker: LocalMarker, place: (usize, usize)) -> TreeRow<SliceTarget> {
        let profile = self.index.profile();
        TreeRow {
            id: Some(id),
            level,
            place,
            name: profile.marker_label(LabelKind::Tooltip, self.thread, marker, self.clock),
            tail: duration_text(profile, self.thread, marker),
            style: RowStyle::Target,
            color: self.color(marker),
            menu: SLICE_MENU,
            target: SliceTarget::Slice(profile.thread(self.thread).global(marker)),
            ..TreeRow::default()
        }
    }

    fn ancestors(&mut self) {
        let (ancestors, thread) = (&self.details.ancestors, self.index.profile().thread(self.thread));
        if ancestors.is_empty() {
            return;
        }
        let is_slice = flowline_index::nesting::is_nested(thread, self.marker);
        let name = match thread.kind {
            TrackKind::Async => "Part of",
            _ if is_slice && !thread.markers.is_instant(self.marker) => "Called from",
            _ => "During",
        };
        let id = slice_id().with("ancestors");
        if self.section(id, name, self.slices(ancestors.len()), Some(true)) {
            let shown = self.shown(id, ancestors.len());
            for (at, ancestor) in ancestors.iter().take(shown).enumerate() {
                self.rows.push(self.slice(id.with(at), 2, *ancestor, (at, ancestors.len())));
            }
            self.more(id, 2, (shown, ancestors.len()));
        }
    }

    fn contents(&mut self) {
        let id = slice_id().with("contents");
        let thread = self.index.profile().thread(self.thread);
        if self.details.is_counting() && flowline_index::nesting::is_nested(thread, self.marker) {
            self.section(id, "Contains", "counting…".to_owned(), None);
        }
        let Some(contents) = self.details.contents.as_ref().filter(|contents| contents.children > 0) else { return };
        let Contents { children, descendants, groups, .. } = contents;
        let deeper = match descendants - children {
            0 => String::new(),
            _ => format!(", {} in total", crate::widgets::grouped(*descendants)),
        };
        if self.section(id, "Contains", self.slices(*children) + &deeper, Some(true)) {
            let shown = self.shown(id, groups.len());
            for (at, group) in groups.iter().take(shown).enumerate() {
                self.group(id, group, (at, groups.len()));
            }
            self.more(id, 2, (shown, groups.len()));
        }
    }

    fn group(&mut self, contents: Id, group: &NameGroup, place: (usize, usize)) {
        let profile = self.index.profile();
        let markers = &profile.thread(self.thread).markers;
        let length = markers.end(self.marker) - markers.start(self.marker);
        let name = profile.strings.get(group.name);
        let id = contents.with(name);
        let part = percent_text(group.total.0, length.0);
        let first = group.first.first().copied();
        if let (1, Some(only)) = (group.count, first) {
            self.rows.push(TreeRow { value: part, ..self.slice(id, 2, only, place) });
            return;
        }
        let open = self.expansion.is_open(id, false);
        self.rows.push(TreeRow {
            id: Some(id),
            level: 2,
            place,
            open: Some(open),
            name: name.to_owned(),
            value: format!("×{} · {part}", crate::widgets::grouped(group.count)),
            tail: format_duration_ns(group.total.0),
            style: RowStyle::Target,
            color: first.and_then(|first| self.color(first)),
            menu: &SLICE_MENU[..1],
            ..TreeRow::default()
        });
        if !open {
            return;
        }
        let shown = self.shown(id, group.first.len());
        for (at, child) in group.first.iter().take(shown).enumerate() {
            let value = time_text(self.clock.show(markers.start(*child)));
            self.rows.push(TreeRow { value, ..self.slice(id.with(at), 3, *child, (at, group.count)) });
        }
        self.more(id, 3, (shown, group.first.len()));
        if shown == group.first.len() && shown < group.count {
            let name = format!("and {} more", crate::widgets::grouped(group.count - shown));
            self.rows.push(TreeRow { id: Some(id.with("rest")), level: 3, name, ..TreeRow::default() });
        }
    }

    fn stacks(&mut self) {
        let details = self.details;
        for (number, stack) in details.stacks.iter().enumerate() {
            let id = slice_id().with(("stack", number));
            let name = match (stack.title.as_str(), stack.at_end) {
                ("", true) => "Stack at the end",
                ("", false) => "Stack trace",
                (title, _) => title,
            };
            let more = if stack.is_cut { " and more" } else { "" };
            let open = self.section(id, name, counted(stack.frames.len(), "frame") + more, Some(true));
            if let Some(row) = self.rows.last_mut() {
                (row.target, row.menu) = (SliceTarget::Stack(number), STACK_MENU);
            }
            if !open {
                continue;
            }
            let shown = self.shown(id, stack.frames.len());
            for (at, frame) in stack.frames.iter().take(shown).enumerate() {
                self.rows.push(TreeRow {
                    id: Some(id.with(at)),
                    level: 2,
                    place: (at, stack.frames.len()),
                    name: frame.name.clone(),
                    value: crate::widgets::short_location(&frame.place).to_owned(),
                    hover: frame_text(&frame.name, &frame.place),
                    style: RowStyle::Target,
                    menu: if FileLocation::parse(&frame.place).is_some() { PLACE_MENU } else { FRAME_MENU },
                    target: SliceTarget::Frame(number, at),
                    ..TreeRow::default()
                });
            }
            self.more(id, 2, (shown, stack.frames.len()));
        }
    }

    fn event(&mut self) {
        let details = self.details;
        let Value::Object(members) = &details.event else { return };
        if members.is_empty() {
            return;
        }
        let id = slice_id().with("event");
        if self.section(id, "Rest of the event", counted(members.len(), "member"), Some(false)) {
            let mut rows = PayloadRowBuilder {
                expansion: self.expansion,
                rows: std::mem::take(&mut self.rows),
                wrap: SliceTarget::Member,
            };
            rows.add(&details.event, id, &[], 2);
            self.rows = rows.rows;
        }
    }
}

fn frame_text(name: &str, place: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{name} ({place})") }
}

/// A stack as text, one frame per line.
fn stack_text(stack: &StackTrace) -> String {
    stack.frames.iter().map(|frame| frame_text(&frame.name, &frame.place) + "\n").collect()
}
