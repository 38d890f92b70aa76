//! The event log: trace events and calls in time order, as a tree of nested entries.

use egui::accesskit::Action;
use egui::{Key, Rangef, Rect, Role, Ui, pos2, vec2};

use super::log_rows::LogRows;
use crate::tables::samples::outline::{Outline, Row, on_screen};
use crate::tables::samples::sample_view::{SampleView, samples_id};
use crate::tables::samples::state::SampleTrees;
use crate::tables::samples::{row, summary};
use crate::widgets::menu::row_menu;
use crate::widgets::style::color;
use crate::widgets::table::{self, Body, Cell, CopyRequest, TableColumn};
use crate::widgets::{Indent, arrow, short_location};
use flowline_format::DurationUnit;
use flowline_index::samples::entries::EntryItem;
use flowline_index::samples::{EntryLog, NodeId};
use flowline_profile::{DisplayClock, Profile, SelectedCall, TimeRange};
use flowline_scene::Palette;
use flowline_session::{Session, TableFile};
use flowline_view::Command;

const COLUMNS: [TableColumn; 5] = [
    TableColumn::times("Start", 96.0),
    TableColumn::lengths("Total", 76.0),
    TableColumn::lengths("Self", 76.0),
    TableColumn::text("Event or call", 260.0, 3.0),
    TableColumn::text("Location", 130.0, 1.0),
];

/// Number of the name column.
const NAME: usize = 3;

fn cells((profile, clock): (&Profile, DisplayClock), log: &EntryLog, at: NodeId) -> [Cell; COLUMNS.len()] {
    let entry = log.entry(at);
    let ([total, own], func) = (log.times(at), log.list.func(entry));
    let start = clock.show(log.list.start[entry as usize]);
    let called = match log.list.item(profile, entry) {
        EntryItem::Marker(marker) => profile.locate(marker).and_then(|(id, local)| profile.call_title(id, local)),
        EntryItem::Call(_) => None,
    };
    [
        Cell::Time(start),
        Cell::Length(total.0),
        Cell::Length(own.0),
        Cell::Text(called.unwrap_or_else(|| row::name(profile, func).to_owned())),
        Cell::Text(row::place(profile, func)),
    ]
}

fn sentence(cells: &[Cell; COLUMNS.len()]) -> String {
    let [start, total, own, name, place] = cells.each_ref().map(Cell::shown);
    let place = if place.is_empty() { String::new() } else { format!(", {place}") };
    format!("{name}, at {start}, total {total}, self {own}{place}")
}

/// The command that selects an entry in the chart, and scrolls to it if `reveal` is true.
fn command(session: &Session, log: &EntryLog, at: NodeId, reveal: bool) -> Command {
    let (profile, entry) = (session.index.profile(), log.entry(at));
    match (log.list.item(profile, entry), reveal) {
        (EntryItem::Marker(marker), false) => Command::Select(Some(marker)),
        (EntryItem::Marker(marker), true) => Command::Reveal(marker),
        (EntryItem::Call(call), reveal) => {
            let (start, end) = (log.list.start[entry as usize], log.list.end[entry as usize]);
            let selected = SelectedCall { call, times: TimeRange { start, end } };
            if reveal { Command::RevealCall(selected) } else { Command::SelectCall(Some(selected)) }
        }
    }
}

/// Draws a row; returns the rectangle of its triangle.
fn paint(
    ui: &Ui,
    profile: &Profile,
    (log, shown, indent): (&EntryLog, Row, Indent),
    (rect, is_cursor, columns): (Rect, bool, &[TableColumn]),
    cells: &[Cell; COLUMNS.len()],
    palette: &Palette,
) -> Rect {
    let spans = table::spans(columns, rect.x_range());
    for (at, cell) in cells.iter().enumerate().filter(|(at, _)| *at != NAME) {
        let tint = table::tint(palette, at > NAME || at == 0, is_cursor);
        table::cell(ui, rect, spans[at], COLUMNS[at].kind, short_location(&cell.shown_in(&columns[at])), tint);
    }
    let left = spans[NAME].min + indent.of(shown.depth);
    let triangle = Rect::from_center_size(pos2(left + 5.0, rect.center().y), vec2(14.0, rect.height()));
    if let Some(expanded) = shown.expanded {
        arrow(ui.painter(), triangle.center(), expanded, color(palette.text2));
    }
    let list = &log.list;
    let entry = log.entry(shown.node);
    let fill = summary::fill_of(profile, list.func(entry), palette);
    let swatch = Rect::from_center_size(pos2(left + 17.0, rect.center().y), vec2(7.0, 7.0));
    ui.painter().rect_filled(swatch, 1.5, color(fill));
    let text = Rangef::new(left + 25.0, spans[NAME].max);
    table::cell(ui, rect, text, COLUMNS[NAME].kind, &cells[NAME].shown(), palette.text);
    triangle
}

/// All rows whose parents are expanded, for export to a file.
pub(crate) fn exported(profile: &Profile, state: &SampleTrees) -> Option<TableFile> {
    let built = state.built.as_ref()?;
    let (log, clock) = (built.log.as_ref()?, built.clock);
    let row = |shown: &Row| {
        std::iter::once(Cell::Count(shown.depth + 1))
            .chain(cells((profile, clock), log, shown.node))
            .collect::<Vec<Cell>>()
    };
    let rows: Vec<Vec<Cell>> = state.log_rows.outline.rows().iter().map(row).collect();
    let columns: Vec<TableColumn> = std::iter::once(TableColumn::numbers("Level", 0.0)).chain(COLUMNS).collect();
    Some(table::exported("event-log", &columns, rows.len(), move |row| rows[row].clone()))
}

/// Copies the cursor's row, or all rows.
fn copy(ui: &Ui, times: (&Profile, DisplayClock), log: &EntryLog, outline: &Outline, wanted: Option<CopyRequest>) {
    match (wanted, outline.current()) {
        (Some(CopyRequest::Row), Some(current)) => ui.copy_text(table::line(&cells(times, log, current.node))),
        (Some(CopyRequest::All(format)), _) => {
            let rows = outline.rows().iter().take(table::LIMIT);
            let all: Vec<Vec<Cell>> = rows.map(|shown| cells(times, log, shown.node).to_vec()).collect();
            ui.copy_text(table::write(format, &COLUMNS, &all, outline.rows().len()));
        }
        _ => {}
    }
}

/// Shows the log; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut SampleTrees,
    copying: Option<CopyRequest>,
    palette: &Palette,
) -> Vec<Command> {
    let (profile, clock) = (session.index.profile(), session.view.clock());
    let Some(mut log) = state.built.as_mut().and_then(|built| built.log.take()) else { return Vec::new() };
    let unit =
        state.built.as_ref().map_or_else(Default::default, |built| DurationUnit::of_longest(built.tree.whole.time.0));
    let columns = state.widths.apply(&COLUMNS.map(|column| column.in_unit(unit)));
    table::resizable_plain_header(ui, &columns, &mut state.widths);
    let LogRows { outline, scroll } = &mut state.log_rows;
    let is_new = scroll.is_new(ui);
    let count = outline.rows().len();
    let mut body = Body::new(ui, samples_id(SampleView::EventLog), Role::Tree, || {
        format!("Event log, {}, arrow keys expand and collapse", table::counted(count, "row"))
    });
    if is_new {
        scroll.reveal(outline.cursor());
    }
    let (mut pressed, mut toggled, mut reveal, mut cursor_id, mut hovered) = (None, false, false, None, None);
    let (fits, mut indent) = (scroll.fits, None);
    scroll.show(&mut body.ui, count, |ui, number, rect| {
        let shown = outline.rows()[number];
        let indent = *indent.get_or_insert_with(|| {
            let width = table::spans(&columns, rect.x_range())[NAME].span();
            Indent::new(on_screen(outline.rows(), number, fits), width)
        });
        let id = ui.scope_id().with(("row", number));
        let is_cursor = number == outline.cursor();
        if is_cursor {
            cursor_id = Some(id);
        }
        let cells = cells((profile, clock), &log, shown.node);
        let response = table::row(ui, id, rect, is_cursor, palette);
        table::announce_row(ui, &response, Role::TreeItem, is_cursor, shown.place, || sentence(&cells));
        ui.ctx().accesskit_node_builder(id, |accessible| {
            accessible.set_level(shown.depth + 1);
            if let Some(expanded) = shown.expanded {
                accessible.set_expanded(expanded);
                accessible.add_action(if expanded { Action::Collapse } else { Action::Expand });
            }
        });
        if response.hovered() {
            hovered = Some(shown);
        }
        let triangle = paint(ui, profile, (&log, shown, indent), (rect, is_cursor, &columns), &cells, palette);
        let asks = |action| ui.input(|input| input.has_accesskit_action_request(id, action));
        let is_on = |pointer| triangle.contains(pointer);
        if asks(Action::Expand) || asks(Action::Collapse) {
            (pressed, toggled) = (Some(number), true);
        } else if response.clicked() || response.secondary_clicked() {
            pressed = Some(number);
            toggled = response.clicked() && response.interact_pointer_pos().is_some_and(is_on);
            reveal = response.double_clicked() && !toggled;
        }
        row_menu(&response, samples_id(SampleView::EventLog), is_cursor, |ui| {
            row::copy_entries(ui, profile, log.list.func(log.entry(shown.node)));
        });
    });
    if let Some(cursor) = cursor_id {
        body.announce_cursor(cursor);
    }
    let mut moved = pressed;
    let mut wanted = copying;
    if let Some(number) = pressed {
        outline.move_to(number);
        if toggled {
            outline.toggle(&mut log, number);
        }
    }
    if body.focused {
        let ui = &body.ui;
        let stepped = table::moved(ui, || Some(outline.cursor()), outline.rows().len(), scroll.fits);
        stepped.into_iter().for_each(|row| outline.move_to(row));
        let (right, left) = (table::key(ui, Key::ArrowRight), table::key(ui, Key::ArrowLeft));
        (0..right).for_each(|_| outline.inwards(&mut log));
        (0..left).for_each(|_| outline.outwards(&mut log));
        let all = table::text_key(ui, "*");
        (0..all).for_each(|_| outline.toggle_all(&mut log));
        reveal |= table::key(ui, Key::Enter) > 0;
        if stepped.is_some() || right + left + all > 0 {
            moved = Some(outline.cursor());
            scroll.reveal(outline.cursor());
            ui.ctx().request_repaint();
        }
        wanted = wanted.or_else(|| table::copying(ui));
    }
    copy(&body.ui, (profile, clock), &log, outline, wanted);
    let lit = hovered.or(outline.chosen().filter(|_| body.focused));
    state.lit = lit.map(|row| log.list.func(log.entry(row.node))).into_iter().collect();
    body.finish(pressed.is_some() || is_new);
    let wanted = (moved.is_some() && !toggled) || reveal;
    let commands = outline.current().filter(|_| wanted).map(|row| command(session, &log, row.node, reveal));
    if let Some(built) = &mut state.built {
        built.log = Some(log);
    }
    commands.into_iter().collect()
}
