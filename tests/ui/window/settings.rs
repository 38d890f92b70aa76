//! The settings and the dialog about the program.

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::ui::{AppRequest, KeyMap};
use flowline::view::Theme;

use crate::harness::window::Window;

fn opened() -> Window {
    let mut window = Window::example();
    window.shell().settings_path = Some("/home/me/.config/flowline/settings.json".to_owned());
    window.chord(Modifiers::COMMAND, Key::Comma);
    window.settle();
    assert!(window.has(Role::Button, "Close Settings"), "{:#?}", window.texts());
    window
}

fn applied(window: &Window) -> usize {
    window.harness.state().requests.iter().filter(|request| **request == AppRequest::ApplyPreferences).count()
}

#[test]
fn settings_apply_at_once() {
    let mut window = opened();
    window.click(Role::Button, "Light");
    window.click(Role::Button, "Firefox Profiler");
    assert_eq!((window.shell().theme, window.shell().keys), (Theme::Light, KeyMap::Firefox));
    assert!(!window.view().tracks.compact);
    window.click(Role::Button, "Compact");
    window.settle();
    assert!(window.view().tracks.compact && window.shell().preferences.compact);
    assert_eq!(applied(&window), 1);
    window.click(Role::Button, "Compact");
    assert_eq!(applied(&window), 1, "nothing has changed");
    window.click(Role::Button, "Larger");
    assert!((window.harness.ctx.zoom_factor() - 1.1).abs() < 1e-3);
    window.click(Role::Button, "Reset size");
    assert!((window.harness.ctx.zoom_factor() - 1.0).abs() < 1e-3);
    window.click(Role::Button, "Copy path");
    assert!(window.says("Copied /home/me/.config/flowline/settings.json"), "{:#?}", window.texts());
}

#[test]
fn an_editor_is_chosen_or_typed() {
    let mut window = opened();
    window.click(Role::Button, "Editor");
    window.click(Role::Button, "Sublime Text");
    assert_eq!(window.shell().preferences.open_place, ["subl", "{file}:{line}:{column}"]);
    let field = window.get(Role::TextInput, "Editor command");
    window.click_at(field.rect.center());
    window.chord(Modifiers::COMMAND, Key::A);
    window.type_text("\"/my apps/ed\" +{line} {file}");
    window.key(Key::Enter);
    window.settle();
    assert_eq!(window.shell().preferences.open_place, ["/my apps/ed", "+{line}", "{file}"]);
    assert!(applied(&window) >= 2);
}

#[test]
fn the_memory_limit_and_search_addresses_are_checked() {
    let mut window = opened();
    let enter = |window: &mut Window, name: &str, text: &str| {
        let field = window.get(Role::TextInput, name);
        window.click_at(field.rect.center());
        window.chord(Modifiers::COMMAND, Key::A);
        window.type_text(text);
        window.key(Key::Enter);
        window.settle();
    };
    enter(&mut window, "Memory limit", "lots");
    assert!(window.says("This is not a size, such as 8 GB."));
    assert_eq!(window.shell().preferences.max_memory, None);
    enter(&mut window, "Memory limit", "1.5 GB");
    assert_eq!(window.shell().preferences.max_memory, Some(1_500_000_000));
    enter(&mut window, "Search address", "javascript:{name}");
    assert!(window.says("The address must start with http:// or https:// and contain {name}."));
    assert!(window.shell().preferences.source_search.changed().is_empty());
    enter(&mut window, "Search address", "https://mine.example/{name}");
    let changed = window.shell().preferences.source_search.changed();
    assert_eq!(changed, [("firefox".to_owned(), "https://mine.example/{name}".to_owned())]);
}

#[test]
fn escape_closes_one_dialog_at_a_time() {
    let mut window = opened();
    window.click(Role::Button, "About Flowline");
    window.settle();
    assert!(window.has(Role::Button, "Close About Flowline") && window.says("MIT License"));
    window.click(Role::Button, "Copy report");
    assert!(window.says("Copied Flowline: "), "{:#?}", window.texts());
    window.key(Key::Escape);
    window.settle();
    assert!(!window.has(Role::Button, "Close About Flowline") && window.has(Role::Button, "Close Settings"));
    window.key(Key::Escape);
    window.settle();
    assert!(!window.has(Role::Button, "Close Settings"));
}

#[test]
fn the_settings_fit_a_small_window() {
    let mut window = Window::example();
    window.harness.set_size(vec2(800.0, 500.0));
    window.settle();
    window.chord(Modifiers::COMMAND, Key::Comma);
    window.settle();
    let close = window.get(Role::Button, "Close");
    assert!(close.rect.max.y <= 500.0, "{close:?}");
}
