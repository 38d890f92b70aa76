//! The dialog with the presets of the recording's format: saves the search and the threads of the view under a name, shows,
//! renames and deletes presets.

use std::sync::Arc;

use egui::{Align, Context, Key, Layout, RichText, Role, ScrollArea, Ui, WidgetInfo, vec2};

use crate::widgets::style::{BODY, SMALL, color};
use crate::widgets::{
    Dialog, body_height, counted, dialog_buttons, main_button, page_button, palette_of, select_all, text_field,
};
use flowline_index::flows::elided;
use flowline_session::Session;
use flowline_view::{Preset, PresetThreads, Presets};

/// Width of the dialog in points.
const WIDTH: f32 = 560.0;
/// Height in points of the field, and of a preset.
const FIELD: f32 = 32.0;
const ROW: f32 = 40.0;
/// Points above and below the list.
const OTHERS: f32 = 220.0;
/// Letters of a search in a description.
const LETTERS: usize = 40;

/// A change that the user made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// Store a preset. It replaces the one with its name.
    Save(Preset),
    /// Show the threads and the search of a preset.
    Show(Arc<Preset>),
    /// Give a preset another name, which no other has.
    Rename(Arc<Preset>, String),
    Delete(Arc<Preset>),
    Close,
}

/// Texts that are being edited.
#[derive(Clone, Debug, Default)]
struct Texts {
    /// Name for the view.
    name: String,
    /// The preset that is being renamed, its new name, and true until the field has the focus.
    renamed: Option<(Arc<Preset>, String, bool)>,
    /// The preset that was deleted last.
    deleted: Option<Arc<Preset>>,
    has_focus: bool,
}

/// The dialog.
#[derive(Debug, Default)]
pub(crate) struct PresetsDialog {
    /// `None` until the dialog opens.
    texts: Option<Texts>,
}

impl PresetsDialog {
    /// Forgets the texts that were being edited.
    pub(crate) fn close(&mut self) {
        self.texts = None;
    }

    /// Shows the dialog; returns the changes of this frame.
    pub(crate) fn show(&mut self, context: &Context, session: &Session, presets: &Presets) -> Vec<Change> {
        let texts = self.texts.get_or_insert_default();
        let kind = session.index.profile().meta.kind;
        let own: Vec<Arc<Preset>> = presets.of_format(kind).cloned().collect();
        // It may have been restored, or its name used again.
        texts.deleted.take_if(|deleted| own.iter().any(|preset| preset.name == deleted.name));
        let mut changes = Vec::new();
        let shown = Dialog::new("Presets", WIDTH).show(context, |ui| {
            save_row(ui, texts, session, &own, &mut changes);
            ui.separator();
            let height = (body_height(context) - OTHERS).max(40.0);
            ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                for preset in &own {
                    row(ui, texts, (preset, session.view.shows_preset(preset)), &own, &mut changes);
                }
            });
            if own.is_empty() {
                note(ui, "No presets for recordings of this format");
            }
            deleted_row(ui, texts, &mut changes);
            dialog_buttons(ui, |ui| {
                changes.extend(ui.add(main_button(context, "Close")).clicked().then_some(Change::Close));
            });
        });
        changes.extend(shown.is_closed.then_some(Change::Close));
        changes
    }
}

/// A text in small letters.
fn note(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).size(SMALL).color(color(palette_of(ui.ctx()).text2)));
}

/// A row of a height in points, filled from its right end.
fn from_right<T>(ui: &mut Ui, height: f32, contents: impl FnOnce(&mut Ui) -> T) -> T {
    let size = vec2(ui.available_width(), height);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), contents).inner
}

/// The field and the button that save the view.
fn save_row(ui: &mut Ui, texts: &mut Texts, session: &Session, own: &[Arc<Preset>], changes: &mut Vec<Change>) {
    let preset = session.view.to_preset(texts.name.trim());
    let replaces = own.iter().any(|other| other.name == preset.name);
    let saves = from_right(ui, FIELD, |ui| {
        let button = main_button(ui.ctx(), if replaces { "Replace" } else { "Save" });
        let clicked = ui.add_enabled(!preset.name.is_empty(), button).clicked();
        let field = ui.add(text_field(&mut texts.name, "Name for the search and the threads of this view"));
        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Name of the preset"));
        if !std::mem::replace(&mut texts.has_focus, true) {
            field.request_focus();
        }
        clicked || (field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)))
    });
    note(ui, &format!("This view: {}", description(&preset)));
    if saves && !preset.name.is_empty() {
        (texts.name, texts.has_focus) = (String::new(), false);
        changes.push(Change::Save(preset));
    }
}

/// A preset and what can be done with it.
fn row(
    ui: &mut Ui,
    texts: &mut Texts,
    (preset, is_shown): (&Arc<Preset>, bool),
    own: &[Arc<Preset>],
    changes: &mut Vec<Change>,
) {
    if let Some((renamed, name, is_new)) = &mut texts.renamed
        && renamed == preset
    {
        let edit = text_field(name, "New name");
        let field = ui.add(edit);
        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "New name of the preset"));
        if std::mem::take(is_new) {
            field.request_focus();
            select_all(ui.ctx(), field.id, name);
        }
        let wanted = name.trim().to_owned();
        let is_free = wanted == preset.name || own.iter().all(|other| other.name != wanted);
        if !is_free {
            note(ui, "Another preset has this name.");
        }
        if field.lost_focus() {
            let is_entered = ui.input(|input| input.key_pressed(Key::Enter));
            let is_changed = is_entered && is_free && !wanted.is_empty() && wanted != preset.name;
            changes.extend(is_changed.then(|| Change::Rename(Arc::clone(preset), wanted)));
            texts.renamed = None;
        }
        return;
    }
    from_right(ui, ROW, |ui| {
        let named = |ui: &mut Ui, text: &str, is_enabled: bool| {
            let response = ui.add_enabled(is_enabled, page_button(text));
            response.widget_info(|| WidgetInfo::labeled(Role::Button, is_enabled, format!("{text} {}", preset.name)));
            response.clicked()
        };
        if named(ui, "Delete", true) {
            texts.deleted = Some(Arc::clone(preset));
            changes.push(Change::Delete(Arc::clone(preset)));
        }
        if named(ui, "Rename", true) {
            texts.renamed = Some((Arc::clone(preset), preset.name.clone(), true));
        }
        changes.extend(named(ui, "Show", !is_shown).then(|| Change::Show(Arc::clone(preset))));
        ui.with_layout(Layout::top_down(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.add(egui::Label::new(RichText::new(&preset.name).size(BODY)).truncate());
            let state = if is_shown { "Shown: " } else { "" };
            let text = RichText::new(format!("{state}{}", description(preset)))
                .size(SMALL)
                .color(color(palette_of(ui.ctx()).text2));
            ui.add(egui::Label::new(text).truncate());
        });
    });
}

/// Offers to restore the preset that was deleted last.
fn deleted_row(ui: &mut Ui, texts: &Texts, changes: &mut Vec<Change>) {
    let Some(deleted) = &texts.deleted else { return };
    ui.horizontal(|ui| {
        note(ui, &format!("Deleted “{}”", elided(&deleted.name, LETTERS)));
        if ui.add(page_button("Restore")).clicked() {
            changes.push(Change::Save(Preset::clone(deleted)));
        }
    });
}

/// The search and the threads of a preset in words.
fn description(preset: &Preset) -> String {
    let search = match preset.search.as_str() {
        "" => "no search".to_owned(),
        search => format!("search “{}”", elided(search, LETTERS)),
    };
    let threads = match &preset.threads {
        PresetThreads::All => "all threads".to_owned(),
        PresetThreads::Only(names) => format!("threads of {}", counted(names.len(), "name")),
        PresetThreads::AllBut(names) => format!("all threads but those of {}", counted(names.len(), "name")),
    };
    format!("{search}, {threads}")
}
