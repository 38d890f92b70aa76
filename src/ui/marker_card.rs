//! What is said of a marker in tooltip and details: heading, times, fields. One text, shown twice.

use egui::{RichText, Ui};

use crate::index::Index;
use crate::profile::text::LabelKind;
use crate::profile::text::format_duration_ns;
use crate::profile::{LocalMarker, MarkerFlags, MarkerId, Ns, Profile, ThreadId};
use crate::scene::Palette;

use super::style::color;

/// Fields longer than this are cut in tooltips.
const SHORT_CHARS: usize = 220;
/// Fields longer than this are cut in the details: laying out a text takes as long as it is. Copying has all of it.
const LONG_CHARS: usize = 20_000;

/// Lines of a card that are shown.
const MOST_LINES: usize = 100;

/// Lines of a marker's card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerCard {
    /// The tooltip label.
    pub heading: String,
    /// Name, if the heading says something else.
    pub name: Option<String>,
    /// Thread and process.
    pub place: String,
    /// Label and value of each line.
    pub lines: Vec<(String, String)>,
    /// How many lines are facts; those behind are fields of the payload.
    pub facts: usize,
    /// Colour of its category.
    pub color: u8,
    /// What markers of this kind mean, from the schema.
    pub description: Option<String>,
}

/// A time on the displayed clock in milliseconds, to the nanosecond.
#[must_use]
pub fn time_text(time: Ns) -> String {
    let ns = time.0.unsigned_abs();
    let sign = if time.0 < 0 { "-" } else { "" };
    let mut fraction = format!("{:06}", ns % 1_000_000);
    while fraction.len() > 3 && fraction.ends_with('0') {
        fraction.pop();
    }
    let mut whole = (ns / 1_000_000).to_string();
    let mut at = whole.len();
    while at > 3 {
        at -= 3;
        whole.insert(at, ',');
    }
    format!("{sign}{whole}.{fraction} ms")
}

/// Thread and process in words.
#[must_use]
pub(super) fn place_text(profile: &Profile, thread: ThreadId) -> String {
    let data = profile.thread(thread);
    let process = profile.process_of(thread);
    format!("{} · {} ({})", data.name, process.name, process.pid)
}

/// Length of a marker in words.
#[must_use]
pub(super) fn duration_text(profile: &Profile, thread: ThreadId, marker: LocalMarker) -> String {
    let markers = &profile.thread(thread).markers;
    if markers.is_instant(marker) {
        return "instant".into();
    }
    format_duration_ns((markers.end[marker.index()] - markers.start[marker.index()]).0)
}

impl MarkerCard {
    /// The card of a marker.
    #[must_use]
    pub fn new(index: &Index, marker: MarkerId) -> Option<Self> {
        let profile = index.profile();
        let (thread, local) = profile.locate(marker)?;
        let markers = &profile.thread(thread).markers;
        let at = local.index();
        let heading = profile.marker_label(LabelKind::Tooltip, thread, local);
        let name = profile.marker_name(thread, local);
        let mut lines = vec![
            ("Start".to_owned(), time_text(profile.displayed(markers.start[at]))),
            ("Duration".to_owned(), duration_text(profile, thread, local)),
        ];
        if let Some(time) = profile.cpu_time(thread, local) {
            lines.push(("CPU time".to_owned(), format_duration_ns(time.0)));
        }
        lines.push(("Category".to_owned(), profile.category_name(markers.category(local)).to_owned()));
        if markers.flags[at].has(MarkerFlags::INCOMPLETE) {
            lines.push(("Incomplete".to_owned(), "one end was not recorded".to_owned()));
        }
        let facts = lines.len();
        lines.extend(profile.field_lines(thread, local).into_iter().map(|line| (line.label, line.value)));
        Some(Self {
            name: (heading != name).then(|| name.to_owned()),
            heading,
            place: place_text(profile, thread),
            lines,
            facts,
            color: index.source().styles.get(marker).color(),
            description: profile.schema_of(thread, local).and_then(|schema| schema.description.clone()),
        })
    }

    /// All lines as text, for copying.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.heading, self.place);
        if let Some(name) = &self.name {
            text += &format!("Name: {name}\n");
        }
        for (label, value) in &self.lines {
            text += &format!("{label}: {value}\n");
        }
        text
    }

    /// Adds a slice's own time below its duration, once.
    pub(super) fn set_self_time(&mut self, text: impl FnOnce() -> Option<String>) {
        const LABEL: &str = "Self time";
        if self.lines.iter().take(self.facts).any(|(label, _)| label == LABEL) {
            return;
        }
        let Some(text) = text() else { return };
        let after =
            self.lines.iter().take(self.facts).position(|(label, _)| label == "Duration").map_or(0, |at| at + 1);
        self.lines.insert(after, (LABEL.to_owned(), text));
        self.facts += 1;
    }

    /// Shows the card; `short` cuts long values.
    pub fn show(&self, ui: &mut Ui, palette: &Palette, short: bool) {
        self.show_lines(ui, palette, short, self.lines.len());
    }

    /// Shows the card without the payload's fields.
    pub(super) fn show_facts(&self, ui: &mut Ui, palette: &Palette) {
        self.show_lines(ui, palette, false, self.facts);
    }

    fn show_lines(&self, ui: &mut Ui, palette: &Palette, short: bool, lines: usize) {
        ui.horizontal_top(|ui| {
            let (swatch, _) = ui.allocate_exact_size(egui::vec2(4.0, 18.0), egui::Sense::hover());
            let fill = palette.fills[usize::from(self.color) % palette.fills.len()];
            ui.painter().rect_filled(swatch, 2.0, color(fill));
            ui.add(egui::Label::new(RichText::new(cut(&self.heading, short)).size(14.0).strong()).wrap());
        });
        ui.add(egui::Label::new(RichText::new(&self.place).weak().small()).wrap());
        ui.add_space(2.0);
        let rows = self.name.iter().map(|name| ("Name", name.as_str()));
        let rows: Vec<(&str, &str)> =
            rows.chain(self.lines.iter().take(lines).map(|(label, value)| (label.as_str(), value.as_str()))).collect();
        let font = egui::TextStyle::Body.resolve(ui.style());
        let width_of = |label: &str| super::elide(ui, label, 150.0, font.clone(), egui::Color32::WHITE).size().x;
        let label_width = rows.iter().take(MOST_LINES).map(|(label, _)| width_of(label)).fold(60.0, f32::max);
        let more = rows.len().saturating_sub(MOST_LINES);
        for (label, value) in rows.into_iter().take(MOST_LINES) {
            row(ui, label, value, label_width, short);
        }
        if more > 0 {
            let text = format!("and {} more fields: Copy has them all", super::grouped(more));
            ui.label(RichText::new(text).weak().small());
        }
        if let Some(description) = self.description.as_ref().filter(|_| !short) {
            ui.add_space(4.0);
            ui.add(egui::Label::new(RichText::new(description).weak()).wrap());
        }
    }
}

/// A label of fixed width and a value that wraps beside it.
pub(super) fn row(ui: &mut Ui, label: &str, value: &str, label_width: f32, short: bool) {
    ui.horizontal_top(|ui| {
        let (rect, response) = ui.allocate_exact_size(egui::vec2(label_width, 16.0), egui::Sense::hover());
        let tint = ui.visuals().weak_text_color();
        let font = egui::TextStyle::Body.resolve(ui.style());
        ui.painter().galley(rect.min, super::elide(ui, label, label_width, font, tint), tint);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, label));
        ui.add_space(4.0);
        let value = cut(value, short);
        let is_link = value.starts_with("https://") || value.starts_with("http://");
        let text = RichText::new(value);
        let text = if is_link { text.color(ui.visuals().hyperlink_color) } else { text };
        ui.add(egui::Label::new(text).wrap());
    });
}

fn cut(text: &str, short: bool) -> String {
    match text.char_indices().nth(if short { SHORT_CHARS } else { LONG_CHARS }) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_show_every_nanosecond_that_matters() {
        assert_eq!(time_text(Ns(10_200_512_000)), "10,200.512 ms");
        assert_eq!(time_text(Ns(1)), "0.000001 ms");
        assert_eq!(time_text(Ns(-1_500_000)), "-1.500 ms");
        assert_eq!(time_text(Ns(1_234_567_890_123_456)), "1,234,567,890.123456 ms");
    }
}
