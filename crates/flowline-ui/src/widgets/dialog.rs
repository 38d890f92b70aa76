//! Dialogs, and whether one is open.

/// A movable dialog that opens in the center of the window, clear of the search field in the toolbar.
pub(crate) fn dialog<'open>(context: &egui::Context, title: &str) -> egui::Window<'open> {
    let middle = context.content_rect().center();
    egui::Window::new(title).pivot(egui::Align2::CENTER_CENTER).default_pos(middle).collapsible(false)
}

/// Marks a dialog as open in this pass, so that no chart tooltip covers it.
pub(crate) fn suppress_tooltips(context: &egui::Context) {
    let pass = context.cumulative_pass_nr();
    context.data_mut(|data| data.insert_temp(egui::Id::unique(DIALOG), pass));
}

/// True if a dialog was marked with [`suppress_tooltips`] in this pass or the previous one.
pub(crate) fn has_dialog(context: &egui::Context) -> bool {
    let last: Option<u64> = context.data(|data| data.get_temp(egui::Id::unique(DIALOG)));
    last.is_some_and(|last| last + 1 >= context.cumulative_pass_nr())
}

/// Memory key for the pass that last showed a dialog.
const DIALOG: &str = "pass of the last dialog";
