//! The choice of a browser tab, for recordings with several: the window shows that tab only, or the whole browser.

use egui::Ui;

use crate::widgets::Dropdown;
use crate::widgets::menu::entry;
use flowline_index::Tab;
use flowline_index::flows::elided;
use flowline_index::network::short_host;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Label of the choice.
const TAB: &str = "Tab";
/// The choice of everything.
const WHOLE: &str = "Whole browser";
/// Most letters of an address on the button and in the menu.
const LETTERS: [usize; 2] = [24, 64];

/// Width of the control in points; 0 for recordings without a choice. It depends only on the recording, so nothing moves when
/// another tab is chosen.
pub(super) fn width(ui: &Ui, session: &Session) -> f32 {
    let tabs = session.tabs();
    if tabs.is_empty() {
        return 0.0;
    }
    let names = tabs.iter().map(|tab| title(tab, LETTERS[0], true)).chain([WHOLE.to_owned()]);
    names.map(|name| Dropdown::choice(TAB, &name, "").width(ui)).fold(0.0, f32::max)
}

/// Shows the control, if there is a choice; returns the user's command.
pub(super) fn show(ui: &mut Ui, session: &Session, palette: &Palette) -> Option<Command> {
    let tabs = session.tabs();
    if tabs.is_empty() {
        return None;
    }
    let current = tabs.iter().find(|tab| Some(tab.id) == session.tab());
    let text = current.map_or_else(|| WHOLE.to_owned(), |tab| title(tab, LETTERS[0], true));
    let name = format!("{TAB}: {text}");
    let hint = current.map_or("Show the tracks, tables and figures of one tab", |tab| tab.url.as_str());
    let mut chosen = None;
    Dropdown::choice(TAB, &text, &name).hint(hint).show(ui, palette, |ui| {
        if entry(ui, WHOLE, current.is_some()) {
            chosen = Some(session.select_tab(None));
        }
        ui.separator();
        for tab in tabs {
            let text = title(tab, LETTERS[1], false);
            if entry(ui, text.as_str(), current.is_none_or(|current| current.id != tab.id)) {
                chosen = Some(session.select_tab(Some(tab.id)));
            }
        }
    });
    chosen
}

/// The page of a tab, with a mark for private windows: its host, or its address.
fn title(tab: &Tab, letters: usize, is_short: bool) -> String {
    let page = elided(if is_short { short_host(&tab.url) } else { &tab.url }, letters);
    if tab.is_private { format!("{page} (private)") } else { page }
}
