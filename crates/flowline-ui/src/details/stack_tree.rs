//! The section with the stack of the selected marker or call: one list of stacks, of which the first frames are shown.

use egui::{Id, Ui};

use super::section::{self, CollapsedSections, Section};
use crate::widget_requests::{WidgetRequest, can_search_source, post};
use crate::widgets::tree::{self, ExpansionState, PAGE, RowAction, RowStyle, TreeIdentity, TreeRow};
use crate::widgets::{counted, grouped, short_location};
use flowline_index::StackTarget;
use flowline_profile::stack::{StackFrame, StackTrace};
use flowline_profile::text::FileLocation;
use flowline_scene::Palette;
use flowline_session::Session;

/// Number of frames shown first.
const FIRST: usize = 3;
/// Number of further frames per click.
const MORE: usize = 100;

const COPY_FRAME: &str = "Copy frame";
const COPY_STACK: &str = "Copy stack";
const OPEN: &str = "Open in editor";
const SEARCH: &str = "Search source code";
/// Menus of frames, by whether the place can be opened and the name can be searched for.
const FRAME_MENUS: [[&[&str]; 2]; 2] = [
    [&[COPY_FRAME, COPY_STACK], &[COPY_FRAME, COPY_STACK, SEARCH]],
    [&[COPY_FRAME, COPY_STACK, OPEN], &[COPY_FRAME, COPY_STACK, OPEN, SEARCH]],
];
const STACK_MENU: &[&str] = &[COPY_STACK];

/// Target of a row: a frame of a stack, a stack, or further frames.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum StackRow {
    #[default]
    Nothing,
    Frame(usize, usize),
    Stack(usize),
    More(Id),
}

/// The stack of the selection.
#[derive(Default)]
pub struct StackSection {
    expansion: ExpansionState,
    stacks: Vec<StackTrace>,
    /// Inputs of the merged stacks.
    key: Option<StackKey>,
}

/// The selection, the revision of its slice, and the number of stacks around it.
type StackKey = (Option<StackTarget>, u64, usize);

/// Id of the widget.
pub(crate) fn stack_id() -> Id {
    Id::unique("stack tree")
}

/// The stacks to show: those of the event, then the enclosing calls unless they are the same, then those that initiated
/// it.
fn merged(own: &[StackTrace], around: &[StackTrace]) -> Vec<StackTrace> {
    let names = |stack: &StackTrace| stack.frames.iter().map(|frame| frame.name.clone()).collect::<Vec<_>>();
    let mut stacks: Vec<StackTrace> = own.to_vec();
    for (number, part) in around.iter().enumerate() {
        let is_known = number == 0 && own.iter().any(|stack| names(stack) == names(part));
        if is_known || (part.frames.is_empty() && part.title.is_empty()) {
            continue;
        }
        let title = match part.title.as_str() {
            "" if own.is_empty() => String::new(),
            "" => "Calls around it".to_owned(),
            title => format!("Initiated by {title}"),
        };
        stacks.push(StackTrace { title, ..part.clone() });
    }
    stacks
}

/// Heading of a stack; empty for the only one.
fn heading(stack: &StackTrace) -> String {
    match (stack.title.as_str(), stack.at_end) {
        ("" | "Stack trace", true) => "At the end".to_owned(),
        ("" | "Stack trace", false) => String::new(),
        (title, _) => title.to_owned(),
    }
}

impl StackSection {
    /// Shows the section, unless there is no stack.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        session: &Session,
        collapsed: &mut CollapsedSections,
        palette: &Palette,
    ) {
        let target = session.selected_stack();
        let around = session.async_stack.parts(target);
        let own = session.view.selected.map_or(&[][..], |marker| session.slice.stacks_for(marker));
        let key = (target, session.slice.revision(), around.len());
        if self.key.replace(key) != Some(key) {
            self.expansion.reset_pages();
            self.stacks = merged(own, around);
        }
        let frames: usize = self.stacks.iter().map(|stack| stack.frames.len()).sum();
        if self.stacks.is_empty() {
            return;
        }
        let more = if self.stacks.iter().any(|stack| stack.is_cut) { " and more" } else { "" };
        let right = if frames == 0 { String::new() } else { counted(frames, "frame") + more };
        section::show(ui, (Section::Stack, &right), collapsed, palette, |ui| {
            let rows = self.rows(can_search_source(ui.ctx()));
            let label = "Stack, Enter opens the place of a frame, Ctrl+C copies the frame, Ctrl+Shift+C the stack";
            let done = tree::show(ui, TreeIdentity { id: stack_id(), label }, &mut self.expansion, &rows, palette);
            if let Some((row, action)) = done.and_then(|(row, action)| Some((rows.get(row)?, action))) {
                self.apply(ui, row, action);
            }
        });
    }

    fn rows(&self, searches: bool) -> Vec<TreeRow<StackRow>> {
        let mut rows = Vec::new();
        for (number, stack) in self.stacks.iter().enumerate() {
            let id = stack_id().with(number);
            let title = heading(stack);
            let mut open = true;
            if !title.is_empty() {
                open = self.expansion.is_open(id, true);
                rows.push(TreeRow {
                    id: Some(id),
                    level: 1,
                    open: (!stack.frames.is_empty()).then_some(open),
                    name: title,
                    tail: match stack.frames.len() {
                        0 => "no calls recorded".to_owned(),
                        count => counted(count, "frame"),
                    },
                    style: RowStyle::Heading,
                    menu: STACK_MENU,
                    target: StackRow::Stack(number),
                    ..TreeRow::default()
                });
            }
            if open {
                self.add_frames(&mut rows, (number, stack), searches);
            }
        }
        rows
    }

    fn add_frames(&self, rows: &mut Vec<TreeRow<StackRow>>, (number, stack): (usize, &StackTrace), searches: bool) {
        let id = stack_id().with(number);
        let count = stack.frames.len();
        let pages = self.expansion.shown(id) / PAGE;
        let addresses = id.with("addresses");
        let skipped = if self.expansion.shown(addresses) > PAGE { 0 } else { leading_addresses(&stack.frames) };
        if skipped > 0 {
            rows.push(TreeRow {
                id: Some(addresses),
                level: 1,
                place: (0, count),
                name: format!("{} without names", counted(skipped, "frame")),
                style: RowStyle::More,
                target: StackRow::More(addresses),
                ..TreeRow::default()
            });
        }
        let shown = (skipped + FIRST + (pages - 1) * MORE).min(count);
        for (at, frame) in stack.frames.iter().enumerate().take(shown).skip(skipped) {
            let place = FileLocation::parse(&frame.place);
            rows.push(TreeRow {
                id: Some(id.with(at)),
                level: 1,
                place: (at, count),
                name: frame.name.clone(),
                tail: short_location(&frame.place).to_owned(),
                hover: frame_text(frame),
                links: place.is_some(),
                style: RowStyle::Target,
                menu: FRAME_MENUS[usize::from(place.is_some())][usize::from(searches)],
                target: StackRow::Frame(number, at),
                ..TreeRow::default()
            });
        }
        if shown < count {
            let left = count - shown;
            let noun = if left == 1 { "more frame" } else { "more frames" };
            rows.push(TreeRow {
                id: Some(id.with("more")),
                level: 1,
                place: (shown, count),
                name: format!("{} {noun}", grouped(left)),
                style: RowStyle::More,
                target: StackRow::More(id),
                ..TreeRow::default()
            });
        }
    }

    fn apply(&mut self, ui: &Ui, row: &TreeRow<StackRow>, action: RowAction) {
        let frame = |stack: usize, frame: usize| self.stacks.get(stack)?.frames.get(frame);
        let entry = match action {
            RowAction::Press => OPEN,
            RowAction::Menu(number) => row.menu.get(number).copied().unwrap_or_default(),
        };
        match &row.target {
            StackRow::More(list) => self.expansion.show_more(*list),
            StackRow::Stack(stack) if entry == COPY_STACK => {
                self.stacks.get(*stack).into_iter().for_each(|stack| ui.copy_text(text(std::slice::from_ref(stack))));
            }
            StackRow::Frame(stack, at) => {
                let Some(frame) = frame(*stack, *at) else { return };
                match entry {
                    COPY_FRAME => ui.copy_text(frame_text(frame)),
                    COPY_STACK => ui.copy_text(text(&self.stacks)),
                    SEARCH => post(ui.ctx(), WidgetRequest::SearchSource(frame.name.clone())),
                    _ => {
                        let place = FileLocation::parse(&frame.place);
                        place.into_iter().for_each(|place| post(ui.ctx(), WidgetRequest::OpenInEditor(place)));
                    }
                }
            }
            _ => {}
        }
    }
}

/// Number of innermost frames that are only addresses; 0 if no frame has a name, or if there is only one such frame.
fn leading_addresses(frames: &[StackFrame]) -> usize {
    let is_address = |frame: &StackFrame| {
        let digits = frame.name.strip_prefix("0x");
        digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
    };
    frames.iter().position(|frame| !is_address(frame)).filter(|named| *named > 1).unwrap_or(0)
}

fn frame_text(frame: &StackFrame) -> String {
    if frame.place.is_empty() { frame.name.clone() } else { format!("{} ({})", frame.name, frame.place) }
}

/// Stacks as text, one frame per line.
fn text(stacks: &[StackTrace]) -> String {
    let mut text = String::new();
    for (number, stack) in stacks.iter().enumerate() {
        let title = heading(stack);
        if !title.is_empty() && number > 0 {
            text += &format!("-- {title} --\n");
        }
        for frame in &stack.frames {
            text += &frame_text(frame);
            text.push('\n');
        }
    }
    text
}
