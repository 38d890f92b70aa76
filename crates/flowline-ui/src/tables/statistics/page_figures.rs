//! Vitals and figures of the page loads of two recordings, side by side.

use egui::{Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};

use crate::widgets::style::color;
use crate::widgets::table::{self, ColumnKind, ROW_HEIGHT, TableColumn, spans};
use flowline_format::{SizeUnit, format_fixed};
use flowline_index::Derived;
use flowline_insights::report::{Metric, MetricKind, MetricValue, Sections};
use flowline_scene::Palette;
use flowline_session::Session;

/// Columns of the figures.
const COLUMNS: [TableColumn; 4] = [
    TableColumn::text("Page", 110.0, 1.0),
    TableColumn::numbers("A", 64.0),
    TableColumn::numbers("B", 64.0),
    TableColumn::numbers("Difference", 76.0),
];

/// A figure in both recordings, as text; empty where it is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Figure {
    /// Its name, with the unit of its values.
    name: String,
    /// A, B and the difference.
    values: [String; 3],
}

/// The figures of two recordings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PageFigures {
    list: Vec<Figure>,
}

impl PageFigures {
    /// The figures that at least one of two recordings has. `None` without page loads, and until they have been read.
    pub(super) fn of(a: &Session, b: &Session) -> Option<Self> {
        let metrics = [metrics(a)?, metrics(b)?];
        let known =
            |side: &[Metric], kind: MetricKind| side.iter().find(|own| own.kind == kind).and_then(|own| own.value);
        let figure = |kind: MetricKind| of_values(kind.title(), [known(&metrics[0], kind), known(&metrics[1], kind)]);
        let list: Vec<Figure> = MetricKind::ALL.into_iter().filter_map(figure).chain(requests(a, b)).collect();
        (!list.is_empty()).then_some(Self { list })
    }

    /// Shows the table.
    pub(super) fn show(&self, ui: &mut Ui, palette: &Palette) {
        let titles = COLUMNS.map(|column| column.title.to_owned());
        row(ui, &titles, true, palette);
        ScrollArea::vertical().id_salt("page figures").auto_shrink(false).show(ui, |ui| {
            for figure in &self.list {
                let [a, b, difference] = figure.values.clone();
                row(ui, &[figure.name.clone(), a, b, difference], false, palette);
            }
        });
    }
}

/// The figures of the page load that a recording shows, once they have been read in the background.
fn metrics(session: &Session) -> Option<Vec<Metric>> {
    let _report = session.insight_report()?;
    let sections = Sections::if_built(&session.index)?;
    let main = sections.main(session.tab()).unwrap_or(0);
    Some(sections.list().get(main).map(|section| section.metrics.clone()).unwrap_or_default())
}

/// A figure, unless neither side knows it.
fn of_values(name: &str, sides: [Option<MetricValue>; 2]) -> Option<Figure> {
    let numbers = sides.map(|side| side.map(MetricValue::in_budget_unit));
    let (unit, decimals) = match sides.into_iter().flatten().next()? {
        MetricValue::Time(_) => (" ms", 0),
        MetricValue::Score(_) => ("", 3),
        MetricValue::Count(_) => ("", 0),
    };
    let text = |value: f64| format_fixed(value, decimals);
    Some(figure(format!("{name}{unit}"), numbers, text))
}

/// A figure of numbers that are written in one way.
fn figure(name: String, [a, b]: [Option<f64>; 2], text: impl Fn(f64) -> String) -> Figure {
    let difference = a.zip(b).map(|(a, b)| format!("{}{}", if b > a { "+" } else { "" }, text(b - a)));
    let [a, b] = [a, b].map(|value| value.map(&text).unwrap_or_default());
    Figure { name, values: [a, b, difference.unwrap_or_default()] }
}

/// Number and bytes of the requests, if one of the recordings has any.
fn requests(a: &Session, b: &Session) -> Vec<Figure> {
    let of = |session: &Session| {
        let requests = session.index.network_if_built()?.requests();
        let bytes = requests.iter().filter_map(|own| own.encoded_bytes).fold(0_i64, i64::saturating_add);
        #[expect(clippy::cast_precision_loss, reason = "sizes to show")]
        let numbers = (requests.len() as f64, bytes as f64);
        (!requests.is_empty()).then_some(numbers)
    };
    let sides = [of(a), of(b)];
    if sides == [None, None] {
        return Vec::new();
    }
    let bytes = sides.map(|side| side.map(|(_, bytes)| bytes));
    let unit = SizeUnit::of_column(bytes.into_iter().flatten());
    let count = |count: f64| format_fixed(count, 0);
    vec![
        figure("Requests".to_owned(), sides.map(|side| side.map(|(count, _)| count)), count),
        figure(unit.heading("Transferred"), bytes, |bytes| unit.format(bytes)),
    ]
}

/// Shows a row of texts.
fn row(ui: &mut Ui, texts: &[String; 4], is_heading: bool, palette: &Palette) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    let names = ["", "A ", "B ", "difference "];
    let filled = names.iter().zip(texts).filter(|(_, text)| !text.is_empty());
    let spoken = filled.map(|(name, text)| format!("{name}{text}")).collect::<Vec<_>>().join(", ");
    if !is_heading {
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, spoken.as_str()));
    }
    let spans = spans(&COLUMNS, rect.x_range());
    for ((text, column), span) in texts.iter().zip(&COLUMNS).zip(spans) {
        let tint = if is_heading || column.kind == ColumnKind::Text { palette.text2 } else { palette.text };
        table::cell(ui, rect, span, column.kind, text, tint);
    }
    if is_heading {
        let line = Rect::from_min_max(rect.left_bottom(), rect.right_bottom());
        ui.painter().hline(line.x_range(), line.min.y - 0.5, (1.0, color(palette.line)));
    }
}
