//! The category menu. Unticked categories are excluded through the search text, so the search box shows them.

use std::collections::BTreeMap;

use egui::{RichText, ScrollArea, Ui};

use crate::index::search::{Query, Term, Test, parts, whole_value};
use crate::profile::Profile;
use crate::scene::Palette;
use crate::session::Session;
use crate::ui::widgets::style::color;
use crate::view::Command;

/// The categories of a recording with their colours, sorted by name, ignoring case. Trace events may list several
/// categories in one text; they are split.
fn categories(profile: &Profile) -> Vec<(String, u8)> {
    let mut all = BTreeMap::new();
    for category in &profile.categories {
        for name in category.name.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let key = (name.to_lowercase(), name.to_owned());
            all.entry(key).or_insert_with(|| crate::index::color_index(&category.color));
        }
    }
    all.into_iter().map(|((_, name), color)| (name, color)).collect()
}

/// The category that a part of a search excludes, in lower case.
fn excluded(part: &str) -> Option<String> {
    let query = Query::parse(part);
    match (query.any.as_slice(), query.none.as_slice()) {
        ([], [Term { test: Test::Field { key, text, whole: true }, .. }]) if key == "cat" => Some(text.clone()),
        _ => None,
    }
}

/// Whether a search excludes a category.
fn is_excluded(search: &str, name: &str) -> bool {
    let wanted = name.to_lowercase();
    parts(search).into_iter().any(|part| excluded(part).is_some_and(|found| found == wanted))
}

/// The search text with a category excluded or included again.
fn with_category(search: &str, name: &str, shown: bool) -> String {
    let mut kept: Vec<&str> = parts(search).into_iter().filter(|part| !is_excluded(part, name)).collect();
    let term = format!("-{}", whole_value("cat", name));
    if !shown {
        kept.push(&term);
    }
    kept.join(", ")
}

/// The search text with no category excluded.
fn with_all(search: &str) -> String {
    let others: Vec<&str> = parts(search).into_iter().filter(|part| excluded(part).is_none()).collect();
    others.join(", ")
}

/// Shows the button and, while open, its menu.
pub(crate) fn show(ui: &mut Ui, session: &Session, palette: &Palette, commands: &mut Vec<Command>) {
    let search = &session.view.search;
    let filtered = parts(search).into_iter().any(|part| excluded(part).is_some());
    let text = RichText::new("Categories");
    let text = if filtered { text.color(color(palette.accent)) } else { text };
    let response = ui.menu_button(text, |ui| {
        ui.set_min_width(220.0);
        let all = categories(session.index.profile());
        ui.horizontal(|ui| {
            if ui.button("Show all").clicked() {
                commands.push(Command::Search(with_all(search)));
            }
            if ui.button("Hide all").clicked() {
                let hidden = all.iter().fold(with_all(search), |search, (name, _)| with_category(&search, name, false));
                commands.push(Command::Search(hidden));
            }
        });
        ui.separator();
        ScrollArea::vertical().max_height(480.0).show(ui, |ui| {
            for (name, entry) in &all {
                let mut shown = !is_excluded(search, name);
                ui.horizontal(|ui| {
                    let (swatch, _) = ui.allocate_exact_size(egui::vec2(8.0, 8.0), egui::Sense::hover());
                    let fill = palette.fills[usize::from(*entry) % palette.fills.len()];
                    ui.painter().rect_filled(swatch, 2.0, color(fill));
                    if ui.checkbox(&mut shown, name).changed() {
                        commands.push(Command::Search(with_category(search, name, shown)));
                    }
                });
            }
        });
    });
    response.response.on_hover_text("Choose which categories are shown");
}

#[cfg(test)]
mod tests {
    use super::{is_excluded, with_all, with_category};

    #[test]
    fn categories_go_into_the_search_and_out_again() {
        let hidden = with_category("paint, dur:>1ms", "cc", false);
        assert_eq!(hidden, "paint, dur:>1ms, -cat:=cc");
        assert!(is_excluded(&hidden, "CC") && !is_excluded(&hidden, "c"));
        assert_eq!(with_category(&hidden, "cc", false), hidden, "excluded once");
        assert_eq!(with_category(&hidden, "cc", true), "paint, dur:>1ms");
        assert_eq!(with_all("-cat:=a, x, -cat:=b"), "x");
        let hidden = with_category("paint -cat:=cc", "GC / CC, both", false);
        assert_eq!(hidden, "paint -cat:=cc, -cat:=\"GC / CC, both\"");
        assert!(is_excluded(&hidden, "gc / cc, both") && !is_excluded(&hidden, "cc"));
        assert_eq!(with_category(&hidden, "GC / CC, both", true), "paint -cat:=cc");
    }
}
