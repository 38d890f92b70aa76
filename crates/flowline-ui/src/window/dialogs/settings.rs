//! The dialog with the user's settings. Each change applies at once and is stored by the application.

use egui::{Align, Context, Layout, Response, RichText, Role, ScrollArea, TextEdit, Ui, WidgetInfo, vec2};

use crate::commands::KeyMap;
use crate::preferences::{Preferences, join_command, parse_size, split_command};
use crate::source_search::SourceSearch;
use crate::widgets::style::{BODY, SMALL, color};
use crate::widgets::{
    Dialog, Dropdown, Segment, body_height, dialog_buttons, main_button, page_button, palette_of, segmented,
};
use flowline_format::{format_bytes, format_percent};
use flowline_profile::Direction;
use flowline_scene::Palette;
use flowline_view::Theme;

/// Width of the dialog, and of the names of settings, in points.
const WIDTH: f32 = 620.0;
const NAMES: f32 = 152.0;

/// Commands of common editors.
const EDITORS: [(&str, &[&str]); 5] = [
    ("Vim", &["vim", "-g", "+{line}", "{file}"]),
    ("Emacs", &["emacs", "+{line}:{column}", "{file}"]),
    ("Visual Studio Code", &["code", "--goto", "{file}:{line}:{column}"]),
    ("IntelliJ IDEA", &["idea", "--line", "{line}", "{file}"]),
    ("Sublime Text", &["subl", "{file}:{line}:{column}"]),
];

/// The current settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Current<'a> {
    pub(crate) theme: Theme,
    pub(crate) keys: KeyMap,
    pub(crate) preferences: &'a Preferences,
    /// Path of the settings file, if there is one.
    pub(crate) file: Option<&'a str>,
}

/// A change that the user made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    Theme(Theme),
    Scale(Option<Direction>),
    Keys(KeyMap),
    Preferences(Preferences),
    /// Panels get their usual sizes, and all sections of the details are open.
    ResetPanels,
    ShowKeys,
    ShowAbout,
    CopyPath,
    Close,
}

/// Texts that are being edited.
#[derive(Clone, Debug)]
struct Texts {
    editor: String,
    browser: String,
    memory: String,
    /// Number of the product whose address is shown, and that address.
    product: usize,
    address: String,
}

/// The dialog.
#[derive(Debug, Default)]
pub(crate) struct SettingsDialog {
    /// `None` until the dialog opens.
    texts: Option<Texts>,
}

impl SettingsDialog {
    /// Forgets the texts that were being edited.
    pub(crate) fn close(&mut self) {
        self.texts = None;
    }

    /// Shows the dialog; returns the changes of this frame.
    pub(crate) fn show(&mut self, context: &Context, current: Current<'_>) -> Vec<Change> {
        let texts = self.texts.get_or_insert_with(|| Texts::of(current.preferences));
        let mut changes = Vec::new();
        let shown = Dialog::new("Settings", WIDTH).show(context, |ui| {
            let height = (body_height(context) - 48.0).max(40.0);
            let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
            area.auto_shrink([false, true]).show(ui, |ui| {
                appearance(ui, current, &mut changes);
                programs(ui, texts, current.preferences, &mut changes);
                files(ui, texts, current, &mut changes);
            });
            dialog_buttons(ui, |ui| {
                changes.extend(ui.add(main_button(context, "Close")).clicked().then_some(Change::Close));
                changes.extend(ui.add(page_button("About Flowline")).clicked().then_some(Change::ShowAbout));
                let reset = ui.add(page_button("Reset panels"));
                changes.extend(reset.clicked().then_some(Change::ResetPanels));
                reset.on_hover_text("Usual sizes of panels, and all sections of the details open");
            });
        });
        changes.extend(shown.is_closed.then_some(Change::Close));
        changes
    }
}

impl Texts {
    fn of(preferences: &Preferences) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a size in words")]
        let memory = preferences.max_memory.map(|bytes| format_bytes(bytes as f64)).unwrap_or_default();
        Self {
            editor: join_command(&preferences.open_place),
            browser: join_command(&preferences.open_link),
            memory,
            product: 0,
            address: preferences.source_search.addresses().next().map_or("", |(_, address)| address).to_owned(),
        }
    }
}

/// Theme, size, density and keys.
fn appearance(ui: &mut Ui, current: Current<'_>, changes: &mut Vec<Change>) {
    let palette = palette_of(ui.ctx());
    row(ui, "Theme", |ui| {
        let themes = [("Dark", Theme::Dark), ("Light", Theme::Light)];
        let chosen = choice(ui, themes.map(|(text, theme)| (text, theme == current.theme)), palette);
        changes.extend(chosen.map(|number| Change::Theme(themes[number].1)));
    });
    row(ui, "Interface size", |ui| {
        let scale = f64::from(ui.ctx().zoom_factor());
        let steps = [("Smaller", Some(Direction::Back)), ("Larger", Some(Direction::Forward)), ("Reset size", None)];
        let mut chosen = None;
        for (text, step) in steps {
            chosen = ui.button(text).clicked().then_some(step).or(chosen);
        }
        changes.extend(chosen.map(Change::Scale));
        ui.label(RichText::new(format!("{} of the screen's size", format_percent(scale))).size(SMALL).weak());
    });
    row(ui, "Density", |ui| {
        let compact = current.preferences.compact;
        let chosen = choice(ui, [("Normal", !compact), ("Compact", compact)], palette);
        changes
            .extend(chosen.map(|number| {
                Change::Preferences(Preferences { compact: number == 1, ..current.preferences.clone() })
            }));
    });
    row(ui, "Keys", |ui| {
        let maps = [("Flowline", KeyMap::Flowline), ("Firefox Profiler", KeyMap::Firefox)];
        let chosen = choice(ui, maps.map(|(text, map)| (text, map == current.keys)), palette);
        changes.extend(chosen.map(|number| Change::Keys(maps[number].1)));
        changes.extend(ui.button("Show keys").clicked().then_some(Change::ShowKeys));
    });
}

/// The programs that open source code and URLs, and code search.
fn programs(ui: &mut Ui, texts: &mut Texts, preferences: &Preferences, changes: &mut Vec<Change>) {
    row(ui, "Editor", |ui| {
        let chosen = editors(ui, preferences);
        if let Some(command) = chosen {
            texts.editor = join_command(&command);
            changes.push(Change::Preferences(Preferences { open_place: command, ..preferences.clone() }));
        }
    });
    let edited = field(ui, "Editor command", &mut texts.editor, "A program and its arguments");
    if ends(&edited) {
        let open_place = split_command(&texts.editor);
        changes.push(Change::Preferences(Preferences { open_place, ..preferences.clone() }));
    }
    hint(ui, "{file}, {line} and {column} are replaced. No shell is used.", false);
    let edited = field(ui, "Browser command", &mut texts.browser, "The system's default");
    if ends(&edited) {
        let open_link = split_command(&texts.browser);
        changes.push(Change::Preferences(Preferences { open_link, ..preferences.clone() }));
    }
    source_search(ui, texts, preferences, changes);
}

/// Shows the menu of editors; returns the command of the chosen one.
fn editors(ui: &mut Ui, preferences: &Preferences) -> Option<Vec<String>> {
    let palette = palette_of(ui.ctx());
    let name = EDITORS.iter().find(|(_, command)| preferences.open_place == *command).map(|(name, _)| *name);
    let text = if preferences.open_place.is_empty() { "None" } else { name.unwrap_or("Other") };
    let mut chosen = None;
    Dropdown::choice("", text, "Editor").show(ui, palette, |ui| {
        if ui.button("None").clicked() {
            chosen = Some(Vec::new());
        }
        for (name, command) in EDITORS {
            if ui.button(name).clicked() {
                chosen = Some(command.iter().map(|word| (*word).to_owned()).collect());
            }
        }
    });
    chosen
}

/// The address of the code search for each product.
fn source_search(ui: &mut Ui, texts: &mut Texts, preferences: &Preferences, changes: &mut Vec<Change>) {
    let products: Vec<(&str, &str)> = preferences.source_search.addresses().collect();
    row(ui, "Source search", |ui| {
        let palette = palette_of(ui.ctx());
        let name = products.get(texts.product).map_or_else(String::new, |(product, _)| capitalized(product));
        Dropdown::choice("", &name, "Product of the source search").show(ui, palette, |ui| {
            for (number, (product, address)) in products.iter().enumerate() {
                if ui.button(capitalized(product)).clicked() {
                    (texts.product, texts.address) = (number, (*address).to_owned());
                }
            }
        });
    });
    let Some((product, _)) = products.get(texts.product) else { return };
    let edited = field(ui, "Search address", &mut texts.address, "No search");
    let address = texts.address.trim();
    let is_valid = address.is_empty() || SourceSearch::is_template(address);
    let text = match is_valid {
        true => "{name} is replaced with the name of a marker or function.",
        false => "The address must start with http:// or https:// and contain {name}.",
    };
    hint(ui, text, !is_valid);
    if ends(&edited) && is_valid {
        let mut source_search = preferences.source_search.clone();
        source_search.set(product, address);
        changes.push(Change::Preferences(Preferences { source_search, ..preferences.clone() }));
        texts.product = 0;
    }
}

/// A product with a capital letter; settings store it in lower case.
fn capitalized(product: &str) -> String {
    let mut letters = product.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The memory limit, and the file of all settings.
fn files(ui: &mut Ui, texts: &mut Texts, current: Current<'_>, changes: &mut Vec<Change>) {
    let edited = field(ui, "Memory limit", &mut texts.memory, "All available memory");
    let size = parse_size(&texts.memory);
    let is_valid = texts.memory.trim().is_empty() || size.is_some();
    let text = match is_valid {
        true => "Loading a recording takes at most this much, such as 8 GB.",
        false => "This is not a size, such as 8 GB.",
    };
    hint(ui, text, !is_valid);
    if ends(&edited) && is_valid {
        changes.push(Change::Preferences(Preferences { max_memory: size, ..current.preferences.clone() }));
    }
    let Some(file) = current.file else { return };
    row(ui, "Stored in", |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            changes.extend(ui.button("Copy path").clicked().then_some(Change::CopyPath));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(file).size(SMALL);
                ui.add(egui::Label::new(text).truncate());
            });
        });
    });
}

/// True if an edited text is complete: Enter was pressed, or the field has lost the focus.
fn ends(response: &Response) -> bool {
    response.lost_focus()
}

/// A line with the name of a setting.
fn row(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui)) {
    let palette: &Palette = palette_of(ui.ctx());
    ui.horizontal(|ui| {
        ui.set_min_height(24.0);
        let size = vec2(NAMES, 24.0);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_width(NAMES);
            ui.label(RichText::new(name).size(BODY).color(color(palette.text2)));
        });
        contents(ui);
    });
}

/// A line with a text field.
fn field(ui: &mut Ui, name: &str, text: &mut String, empty: &str) -> Response {
    let mut response = None;
    row(ui, name, |ui| {
        let width = ui.available_width() - 8.0;
        let edit = TextEdit::singleline(text).hint_text(empty.to_owned()).desired_width(width);
        let edit = edit.align(egui::Align2::LEFT_CENTER);
        response = Some(ui.add(edit));
    });
    let response = response.unwrap_or_else(|| ui.label(""));
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, name));
    response
}

/// A line below a setting.
fn hint(ui: &mut Ui, text: &str, is_problem: bool) {
    let palette = palette_of(ui.ctx());
    let tint = if is_problem { palette.bad } else { palette.text3 };
    ui.horizontal(|ui| {
        // The line is close to its setting.
        ui.spacing_mut().interact_size.y = 16.0;
        ui.add_space(NAMES + ui.spacing().item_spacing.x);
        ui.label(RichText::new(text).size(SMALL).color(color(tint)));
    });
}

/// A control with alternatives; returns the number of the one that was clicked.
fn choice<const N: usize>(ui: &mut Ui, texts: [(&str, bool); N], palette: &Palette) -> Option<usize> {
    let segments = texts.map(|(text, is_chosen)| Segment { text, hint: String::new(), is_chosen, is_enabled: true });
    segmented(ui, &segments, palette)
}
