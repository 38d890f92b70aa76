//! Draws a row and announces it to screen readers.

use egui::accesskit::Action;
use egui::{Id, Rangef, Rect, Response, Role, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

use super::cells::FactCell;
use super::fact_table::FactTable;
use super::paint_metrics::{self, short_url};
use super::row::{Row, RowContent, SectionHeading};
use super::state_icon::{paint_rating, paint_state};
use crate::widgets::grouped;
use crate::widgets::icon::Icon;
use crate::widgets::style::{BODY, color};
use crate::widgets::table::{self, Cell, ColumnKind, TableColumn};
use flowline_format::{format_time, format_time_column};
use flowline_scene::{Palette, Rgba};
use flowline_session::{metric_name, metric_value};

/// Points before the first level, per level, and for the shape of a state.
const LEFT: f32 = 6.0;
const INDENT: f32 = 14.0;
const CHEVRON: f32 = 16.0;
const SHAPE: f32 = 16.0;
/// Width in points of the column in which numbers of a grid are aligned.
const NUMBERS: f32 = 96.0;
/// Width in points of the bar of the emphasized insight.
const BAR: f32 = 3.0;

/// Columns of insights.
pub(super) const COLUMNS: [TableColumn; 4] = [
    TableColumn::text("Insight", 260.0, 0.5),
    TableColumn::text("Result", 280.0, 2.0),
    TableColumn::times("Late moment", 110.0),
    TableColumn::picture("Path", 32.0),
];

/// What the user did with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowEvent {
    Press,
    Toggle,
    /// The button of the critical path.
    Path,
}

/// A row on screen.
pub(super) struct ShownRow<'a> {
    pub(super) row: &'a Row,
    pub(super) id: Id,
    pub(super) rect: Rect,
    pub(super) spans: &'a [Rangef],
    /// Its number and the number of rows.
    pub(super) place: (usize, usize),
    pub(super) is_cursor: bool,
    /// True for the insight that the chart emphasizes.
    pub(super) is_focused: bool,
}

impl ShownRow<'_> {
    /// Draws the row; returns its response and what the user did.
    pub(super) fn show(&self, ui: &Ui, palette: &Palette) -> (Response, Option<RowEvent>) {
        let Self { row, id, rect, .. } = *self;
        let is_section = matches!(row.content, RowContent::Section(_));
        if is_section {
            ui.painter().rect_filled(rect, 0.0, color(palette.heading));
        }
        let response = table::row(ui, id, rect, self.is_cursor, palette);
        let sentence = || {
            let shown = if self.is_focused { ", shown on the chart" } else { "" };
            row.sentence() + shown
        };
        table::announce_row(ui, &response, Role::TreeItem, self.is_cursor, self.place, sentence);
        ui.ctx().accesskit_node_builder(id, |node| {
            node.set_level(row.level);
            if let Some(open) = row.open {
                node.set_expanded(open);
                node.add_action(if open { Action::Collapse } else { Action::Expand });
            }
        });
        if self.is_focused {
            ui.painter().rect_filled(rect.with_max_x(rect.min.x + BAR), 0.0, color(palette.accent));
        }
        let left = self.left();
        let chevron = Rect::from_center_size(pos2(left - CHEVRON / 2.0, rect.center().y), vec2(CHEVRON, rect.height()));
        if let Some(open) = row.open {
            let icon = if open { Icon::ChevronDown } else { Icon::ChevronRight };
            let tint = if self.is_cursor { palette.on_accent } else { palette.text2 };
            icon.paint(ui.painter(), Rect::from_center_size(chevron.center(), vec2(14.0, 14.0)), color(tint));
        }
        self.contents(ui, left, palette);
        let path = self.path_button(ui, palette);
        let asks = |action| ui.input(|input| input.has_accesskit_action_request(id, action));
        let on_chevron = response.interact_pointer_pos().is_some_and(|pointer| chevron.contains(pointer));
        let event = if path {
            Some(RowEvent::Path)
        } else if row.open.is_some()
            && (asks(Action::Expand) || asks(Action::Collapse) || (response.clicked() && on_chevron))
        {
            Some(RowEvent::Toggle)
        } else {
            response.clicked().then_some(RowEvent::Press)
        };
        (response, event)
    }

    /// Left edge of the contents, right of the chevron.
    fn left(&self) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "a level")]
        let indent = self.row.level.saturating_sub(1).min(8) as f32 * INDENT;
        self.rect.min.x + LEFT + indent + CHEVRON
    }

    fn tint(&self, tint: Rgba, palette: &Palette) -> Rgba {
        if self.is_cursor { palette.on_accent } else { tint }
    }

    fn text(&self, ui: &Ui, span: Rangef, text: &str, tint: Rgba) {
        table::cell(ui, self.rect, span, ColumnKind::Text, text, tint);
    }

    fn contents(&self, ui: &Ui, left: f32, palette: &Palette) {
        let (rect, first, second) = (self.rect, self.spans[0], self.spans[1]);
        let (text, faint) = (self.tint(palette.text, palette), self.tint(palette.text2, palette));
        let all = Rangef::new(left, rect.max.x - LEFT);
        let first = Rangef::new(left, first.max.max(left));
        match &self.row.content {
            RowContent::Section(heading) => self.section(ui, all, heading, palette),
            RowContent::Metrics(metrics) => {
                paint_metrics::paint(ui, rect, all, metrics, (self.is_cursor, palette));
            }
            RowContent::Metric(metric) => {
                self.text(ui, first, metric_name(metric.kind), faint);
                let indent = metric.rating.map_or(0.0, |rating| {
                    paint_rating(ui.painter(), pos2(second.min + 4.0, rect.center().y), rating, palette);
                    SHAPE
                });
                let value = metric_value(metric).map(|value| match metric.rating {
                    Some(rating) => format!("{value}, {}", rating.name()),
                    None => value,
                });
                let tint = if value.is_some() { text } else { self.tint(palette.text3, palette) };
                let shown = value.unwrap_or_else(|| format!("unknown: {}", metric.unknown));
                self.text(ui, Rangef::new(second.min + indent, rect.max.x - LEFT), &shown, tint);
            }
            RowContent::Insight { title, state, summary, late, .. } => {
                paint_state(ui.painter(), pos2(left + 5.0, rect.center().y), *state, palette);
                self.text(ui, Rangef::new(left + SHAPE, first.max), title, text);
                self.text(ui, second, summary, faint);
                if let Some(late) = late {
                    let late = format_time_column(*late);
                    table::cell(ui, rect, self.spans[2], ColumnKind::Times, &late, faint);
                }
            }
            RowContent::Passed(insights) => {
                self.text(ui, all, &format!("{} passed", grouped(insights.len())), faint);
            }
            RowContent::Text(sentence) => self.text(ui, all, sentence, faint),
            RowContent::Path(time) => {
                let tint = color(self.tint(palette.link, palette));
                Icon::CriticalPath.paint(
                    ui.painter(),
                    Rect::from_center_size(pos2(left + 6.0, rect.center().y), vec2(14.0, 14.0)),
                    tint,
                );
                let text = format!("Critical path to {}", format_time(*time));
                self.text(ui, Rangef::new(left + SHAPE + 2.0, all.max), &text, self.tint(palette.link, palette));
            }
            RowContent::Fact { title, value } => {
                self.text(ui, first, title, faint);
                self.value(ui, Rangef::new(second.min, rect.max.x - LEFT), value, palette);
            }
            RowContent::Facts { title, count } => self.text(ui, all, &format!("{title} ({})", grouped(*count)), faint),
            RowContent::TableHead(table) => self.table_head(ui, all, table, palette),
            RowContent::TableRow(table, number) => self.table_row(ui, all, (table, *number), palette),
            RowContent::Marker { name, time } => {
                self.text(ui, first, name, self.tint(palette.link, palette));
                let number = Rangef::new(second.min, second.min + NUMBERS);
                table::cell(ui, rect, number, ColumnKind::Times, &format_time(*time), faint);
            }
            RowContent::More(rest) => {
                let text = format!("Show more ({} left)", grouped(*rest));
                self.text(ui, all, &text, self.tint(palette.link, palette));
            }
        }
    }

    fn section(&self, ui: &Ui, span: Rangef, heading: &SectionHeading, palette: &Palette) {
        let failed = heading.failed;
        let middle = self.rect.center().y;
        let font = egui::FontId::proportional(BODY);
        let faint = color(self.tint(palette.text2, palette));
        let mut right = span.max;
        if failed > 0 {
            let galley = ui.painter().layout_no_wrap(
                format!("{} failed", grouped(failed)),
                TextStyle::Body.resolve(ui.style()),
                faint,
            );
            right -= galley.size().x;
            ui.painter().galley(pos2(right, middle - galley.size().y / 2.0), galley, faint);
            right -= SHAPE;
            paint_state(
                ui.painter(),
                pos2(right + 6.0, middle),
                flowline_insights::insights::InsightState::Fail,
                palette,
            );
            right -= 8.0;
        }
        let room = (right - span.min).max(0.0);
        let kind = match (heading.is_soft, heading.is_prerendered) {
            (true, _) => "Soft navigation, ",
            (false, true) => "Prerendered, ",
            (false, false) => "",
        };
        let shown = if heading.is_address { short_url(&heading.title, room) } else { heading.title.clone() };
        let tint = color(self.tint(palette.text, palette));
        let galley = crate::widgets::elide(ui, &format!("{kind}{shown}"), room, font, tint);
        ui.painter().galley(pos2(span.min, middle - galley.size().y / 2.0), galley, tint);
    }

    /// A value of the grid: numbers end at one edge, texts begin at another.
    fn value(&self, ui: &Ui, span: Rangef, value: &FactCell, palette: &Palette) {
        let shown = value.cell.shown();
        if value.cell == Cell::Empty {
            return self.text(ui, span, "unknown", self.tint(palette.text3, palette));
        }
        if value.is_number() {
            let number = Rangef::new(span.min, (span.min + NUMBERS).min(span.max));
            return table::cell(ui, self.rect, number, ColumnKind::Numbers, &shown, self.tint(palette.text, palette));
        }
        let tint = if value.is_address { palette.link } else { palette.text };
        let text = if value.is_address { short_url(&shown, span.span()) } else { shown.into_owned() };
        self.text(ui, span, &text, self.tint(tint, palette));
    }

    fn table_head(&self, ui: &Ui, span: Rangef, table: &FactTable, palette: &Palette) {
        for (column, span) in table.columns.iter().zip(table.spans(span)) {
            let Some(span) = span else { continue };
            let tint = self.tint(palette.text2, palette);
            table::cell(ui, self.rect, span, column.layout.kind, &column.title, tint);
        }
    }

    fn table_row(&self, ui: &Ui, span: Rangef, (table, number): (&FactTable, usize), palette: &Palette) {
        let Some((cells, _)) = table.rows.get(number) else { return };
        for ((column, value), span) in table.columns.iter().zip(cells).zip(table.spans(span)) {
            let Some(span) = span else { continue };
            let tint = self.tint(if value.is_address { palette.link } else { palette.text }, palette);
            let shown = value.cell.shown_in(&column.layout);
            let text = if value.is_address { short_url(&shown, span.span()) } else { shown.into_owned() };
            table::cell(ui, self.rect, span, column.layout.kind, &text, tint);
        }
    }

    /// The button of the critical path of an insight with a late moment; returns true if it was clicked.
    fn path_button(&self, ui: &Ui, palette: &Palette) -> bool {
        let RowContent::Insight { title, late: Some(late), .. } = &self.row.content else { return false };
        let place = Rect::from_center_size(pos2(self.spans[3].center(), self.rect.center().y), vec2(24.0, 20.0));
        let response = ui.interact(place, self.id.with("path"), Sense::CLICK);
        let name = format!("Critical path to {}, {title}", format_time(*late));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let tint = if response.hovered() { palette.text } else { palette.text2 };
        Icon::CriticalPath.paint(ui.painter(), place, color(self.tint(tint, palette)));
        let is_clicked = response.clicked();
        response.on_hover_text(format!("Critical path to {}", format_time(*late)));
        is_clicked
    }
}
