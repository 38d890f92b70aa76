//! The category menu. Unticked categories are excluded through the search text, so the search box shows them.

use std::collections::BTreeMap;

use egui::{Align, Button, Color32, Layout, RichText, Role, ScrollArea, TextStyle, Ui, WidgetInfo};

use crate::widgets::elide;
use crate::widgets::menu::submenu;
use crate::widgets::style::color;
use flowline_format::format_count;
use flowline_index::search::{Query, Term, Test, parts, whole_value};
use flowline_profile::Profile;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// A category in the menu.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Listed {
    name: String,
    /// Palette entry.
    color: u8,
    /// Number of its markers; `None` until they are counted.
    count: Option<u64>,
}

/// The categories that occur in a recording, sorted by name, ignoring case; all categories until they are counted. A
/// trace event may list several categories in one text. The text is split, and the event counts for each category.
fn categories(profile: &Profile, counts: Option<&[u64]>) -> Vec<Listed> {
    let mut all: BTreeMap<(String, String), Listed> = BTreeMap::new();
    for (number, category) in profile.categories.iter().enumerate() {
        let count = counts.map(|counts| counts.get(number).copied().unwrap_or(0));
        for name in category.name.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let key = (name.to_lowercase(), name.to_owned());
            let color = flowline_index::category_entry(category);
            let new = || Listed { name: name.to_owned(), color, count: counts.map(|_| 0) };
            let listed = all.entry(key).or_insert_with(new);
            listed.count = listed.count.zip(count).map(|(sum, count)| sum + count);
        }
    }
    all.into_values().filter(|listed| listed.count != Some(0)).collect()
}

/// The category that a part of a search excludes, in lower case.
fn excluded(part: &str) -> Option<String> {
    let query = Query::parse(part);
    match (query.any.as_slice(), query.none.as_slice()) {
        ([], [Term { test: Test::Field { key, text, whole: true }, .. }]) if key == "cat" => Some(text.clone()),
        _ => None,
    }
}

/// True if a search excludes a category.
fn is_excluded(search: &str, name: &str) -> bool {
    let wanted = name.to_lowercase();
    parts(search).into_iter().any(|part| excluded(part).is_some_and(|found| found == wanted))
}

/// The search text with a category included (`shown`) or excluded.
fn with_category(search: &str, name: &str, shown: bool) -> String {
    let mut kept: Vec<&str> = parts(search).into_iter().filter(|part| !is_excluded(part, name)).collect();
    let term = format!("-{}", whole_value("cat", name));
    if !shown {
        kept.push(&term);
    }
    kept.join(", ")
}

/// The search text with all categories excluded but one.
fn with_only(search: &str, all: &[Listed], name: &str) -> String {
    let others = all.iter().filter(|listed| listed.name != name);
    others.fold(with_all(search), |search, other| with_category(&search, &other.name, false))
}

/// The search text with no category excluded.
fn with_all(search: &str) -> String {
    let others: Vec<&str> = parts(search).into_iter().filter(|part| excluded(part).is_none()).collect();
    others.join(", ")
}

/// Minimum and maximum width reserved for a name, and the width of the other columns of the menu, in points.
const SHORTEST_NAME: f32 = 140.0;
const LONGEST_NAME: f32 = 380.0;
const BESIDE_NAME: f32 = 160.0;

/// Shows the submenu.
pub(crate) fn show(ui: &mut Ui, session: &Session, palette: &Palette, commands: &mut Vec<Command>) {
    let search = &session.view.search;
    let contents = |ui: &mut Ui| {
        let counts = session.categories.get(&session.index);
        let all = categories(session.index.profile(), counts.as_deref().map(Vec::as_slice));
        let font = TextStyle::Body.resolve(ui.style());
        let width = |listed: &Listed| elide(ui, &listed.name, LONGEST_NAME, font.clone(), Color32::WHITE).size().x;
        ui.set_width(all.iter().map(width).fold(SHORTEST_NAME, f32::max) + BESIDE_NAME);
        ui.horizontal(|ui| {
            if ui.button("Show all").clicked() {
                commands.push(Command::Search(with_all(search)));
            }
            if ui.button("Hide all").clicked() {
                let hidden = with_only(search, &all, "");
                commands.push(Command::Search(hidden));
            }
        });
        ui.separator();
        ScrollArea::vertical().max_height(480.0).show(ui, |ui| {
            for Listed { name, color: entry, count } in &all {
                let mut shown = !is_excluded(search, name);
                ui.horizontal(|ui| {
                    let (swatch, _) = ui.allocate_exact_size(egui::vec2(8.0, 8.0), egui::Sense::hover());
                    let fill = palette.fill(*entry);
                    ui.painter().rect_filled(swatch, 2.0, color(fill));
                    if ui.checkbox(&mut shown, name).changed() {
                        commands.push(Command::Search(with_category(search, name, shown)));
                    }
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        let only = ui.add(Button::new(RichText::new("only").small()).small());
                        only.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Only {name}")));
                        if only.clicked() {
                            commands.push(Command::Search(with_only(search, &all, name)));
                        }
                        if let Some(count) = count {
                            ui.label(RichText::new(format_count(*count)).small().weak());
                        }
                    });
                });
            }
        });
    };
    submenu(ui, "Categories", contents);
}

#[cfg(test)]
mod tests {
    use super::{Listed, categories, is_excluded, with_all, with_category, with_only};
    use flowline_profile::{Category, Profile};

    #[test]
    fn occurring_categories_are_listed_with_counts() {
        let category = |name: &str| Category { name: name.into(), color: "blue".into(), subcategories: Vec::new() };
        let profile = Profile { categories: ["b,A", "c", "A"].map(category).into(), ..Profile::default() };
        let listed = |counts| -> Vec<(String, Option<u64>)> {
            categories(&profile, counts).into_iter().map(|listed: Listed| (listed.name, listed.count)).collect()
        };
        assert_eq!(listed(Some(&[2, 0, 3])), [("A".to_owned(), Some(5)), ("b".to_owned(), Some(2))]);
        assert_eq!(listed(None).len(), 3, "all categories until they are counted");
        let all = categories(&profile, None);
        assert_eq!(with_only("paint, -cat:=c", &all, "c"), "paint, -cat:=A, -cat:=b");
    }

    #[test]
    fn categories_are_added_to_and_removed_from_the_search() {
        let hidden = with_category("paint, dur:>1ms", "cc", false);
        assert_eq!(hidden, "paint, dur:>1ms, -cat:=cc");
        assert!(is_excluded(&hidden, "CC") && !is_excluded(&hidden, "c"));
        assert_eq!(with_category(&hidden, "cc", false), hidden, "excluded only once");
        assert_eq!(with_category(&hidden, "cc", true), "paint, dur:>1ms");
        assert_eq!(with_all("-cat:=a, x, -cat:=b"), "x");
        let hidden = with_category("paint -cat:=cc", "GC / CC, both", false);
        assert_eq!(hidden, "paint -cat:=cc, -cat:=\"GC / CC, both\"");
        assert!(is_excluded(&hidden, "gc / cc, both") && !is_excluded(&hidden, "cc"));
        assert_eq!(with_category(&hidden, "GC / CC, both", true), "paint -cat:=cc");
    }
}
