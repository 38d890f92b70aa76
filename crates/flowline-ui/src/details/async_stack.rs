//! The stack of the selected marker or call, followed by the stacks that initiated it.

use egui::{Label, RichText, Sense, Ui};

use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::short_location;
use flowline_profile::stack::{StackFrame, StackTrace};
use flowline_profile::text::FileLocation;

/// Maximum number of frames shown per stack.
const SHOWN: usize = 24;

/// Shows the stacks, if there are any.
pub(super) fn show(ui: &mut Ui, parts: &[StackTrace]) {
    for (number, part) in parts.iter().enumerate().filter(|(_, part)| !part.frames.is_empty() || !part.title.is_empty())
    {
        ui.add_space(if part.frames.is_empty() { 0.0 } else { 4.0 });
        let heading = match part.title.as_str() {
            "" if number == 0 => "Stack".to_owned(),
            title => format!("Initiated by {title}"),
        };
        // A stack without frames takes one line.
        let heading = match part.frames.is_empty() {
            true => RichText::new(format!("{heading} (no calls recorded)")).small().weak(),
            false => RichText::new(heading).small().strong().weak(),
        };
        let response = ui.add(Label::new(heading).sense(Sense::click()));
        response.context_menu(|ui| {
            if ui.button("Copy stack").clicked() {
                ui.copy_text(text(parts));
            }
        });
        for frame in part.frames.iter().take(SHOWN) {
            show_frame(ui, frame, parts);
        }
        match part.frames.len().saturating_sub(SHOWN) {
            0 => {}
            more => drop(ui.weak(format!("and {more} more"))),
        }
    }
}

fn show_frame(ui: &mut Ui, frame: &StackFrame, parts: &[StackTrace]) {
    let response = ui
        .horizontal(|ui| {
            ui.add_space(8.0);
            let name = ui.add(Label::new(&frame.name).truncate().sense(Sense::click()));
            ui.add(Label::new(RichText::new(short_location(&frame.place)).weak().small()).truncate());
            name
        })
        .inner;
    let hover = if frame.place.is_empty() { frame.name.clone() } else { format!("{} ({})", frame.name, frame.place) };
    response.on_hover_text(&hover).context_menu(|ui| {
        if ui.button("Copy frame").clicked() {
            ui.copy_text(hover.clone());
        }
        if ui.button("Copy stack").clicked() {
            ui.copy_text(text(parts));
        }
        if let Some(place) = FileLocation::parse(&frame.place)
            && ui.button("Open in editor").clicked()
        {
            post(ui.ctx(), WidgetRequest::OpenInEditor(place));
        }
    });
}

/// All stacks as text, one frame per line.
fn text(parts: &[StackTrace]) -> String {
    let mut text = String::new();
    for part in parts {
        if !part.title.is_empty() {
            text += &format!("-- initiated by {} --\n", part.title);
        }
        for frame in &part.frames {
            text += &frame.name;
            if !frame.place.is_empty() {
                text += &format!(" ({})", frame.place);
            }
            text.push('\n');
        }
    }
    text
}
