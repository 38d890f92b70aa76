//! The scroll position of a table, and when a table gets the keyboard: in the first frame with rows after it was opened, or
//! after a command filled it.

use egui::{Id, Popup, Rect, Ui};

use crate::widgets::virtual_list::ListScroll;

/// Height of a row in points.
pub(crate) const ROW_HEIGHT: f32 = 20.0;

fn open_id() -> Id {
    Id::unique("when the table was opened")
}

fn focus_id() -> Id {
    Id::unique("the table on screen was asked for again")
}

/// Gives the table that is on screen, or about to be, the keyboard focus: a command has filled it.
pub(crate) fn focus_shown_table(context: &egui::Context) {
    context.data_mut(|data| data.insert_temp(focus_id(), ()));
}

/// Records the pass in which the current table was opened; `what` identifies it. Call before the table, once per frame.
pub(crate) fn record_opening<T: PartialEq + Clone + Send + Sync + 'static>(ui: &Ui, what: T) {
    let (pass, id) = (ui.ctx().cumulative_pass_nr(), Id::unique("the table that was shown last"));
    let before = ui.data_mut(|data| {
        let before = data.get_temp::<(T, u64)>(id);
        data.insert_temp(id, (what.clone(), pass));
        before
    });
    if before.is_none_or(|(shown, last)| shown != what || last + 1 < pass) {
        ui.data_mut(|data| data.insert_temp(open_id(), pass));
    }
}

/// Scroll position of a table.
#[derive(Clone, Debug)]
pub(crate) struct Scroll {
    list: ListScroll,
    /// Number of rows that fit in the view, from the last frame.
    pub(crate) fits: f64,
    /// The row that was revealed, with the position since then; forgotten once the rows are scrolled.
    revealed: Option<(usize, f64)>,
    /// Pass that last showed the table.
    pass: Option<u64>,
    /// True if the table gets the keyboard focus once it has rows.
    wants_focus: bool,
}

impl Default for Scroll {
    fn default() -> Self {
        Self { list: ListScroll::default(), fits: 1.0, revealed: None, pass: None, wants_focus: false }
    }
}

impl Scroll {
    /// True if the table was not shown in the previous frame and should get the keyboard focus. A text field in use
    /// keeps the focus, unless the table was just opened. Call once per frame.
    pub(crate) fn is_new(&mut self, ui: &Ui) -> bool {
        let pass = ui.ctx().cumulative_pass_nr();
        let before = self.pass.replace(pass);
        let is_open = || ui.data(|data| data.get_temp::<u64>(open_id())).is_some_and(|opened| opened < pass);
        before.is_none_or(|before| before + 1 < pass) && !(ui.ctx().text_edit_focused() && is_open())
    }

    /// Notes that the table was opened or asked for again, for [`Self::takes_focus`]. Call once per frame instead of
    /// [`Self::is_new`]; returns the same.
    pub(crate) fn follow_opening(&mut self, ui: &Ui) -> bool {
        let is_new = self.is_new(ui);
        let again = ui.data_mut(|data| data.remove_temp::<()>(focus_id()).is_some());
        self.wants_focus |= is_new || again;
        is_new
    }

    /// True if the rows should get the keyboard focus now: the table was opened, and meanwhile its rows were computed.
    /// A text field in use keeps the focus, and an open menu keeps it until it is closed.
    pub(crate) fn takes_focus(&mut self, ui: &Ui) -> bool {
        if Popup::is_any_open(ui.ctx()) {
            return false;
        }
        let takes = std::mem::take(&mut self.wants_focus) && !ui.ctx().text_edit_focused();
        if takes {
            // The focus is drawn in the next frame.
            ui.ctx().request_repaint();
        }
        takes
    }

    /// Scrolls to the first row.
    pub(crate) const fn scroll_to_top(&mut self) {
        self.list.top = 0.0;
    }

    /// Goes to the first row, because the rows have another order or filter. The row of the cursor stays in view.
    pub(crate) fn restart(&mut self, cursor: Option<usize>) {
        self.scroll_to_top();
        cursor.into_iter().for_each(|row| self.reveal(row));
    }

    /// Scrolls just enough to show a row.
    pub(crate) fn reveal(&mut self, row: usize) {
        self.list.reveal(row, self.fits.max(1.0));
        self.revealed = Some((row, self.list.top));
    }

    /// Shows the rows.
    pub(crate) fn show(&mut self, ui: &mut Ui, rows: usize, row: impl FnMut(&mut Ui, usize, Rect)) {
        let (top, before) = (self.list.top, self.fits);
        self.fits = self.list.show(ui, rows, ROW_HEIGHT, row);
        self.revealed = self.revealed.filter(|(_, at)| (at - top).abs() < 1e-9);
        // A view that has become lower, such as by a scroll bar or a row of totals, still shows the row.
        if let Some((row, _)) = self.revealed.filter(|_| self.fits < before) {
            self.reveal(row);
            ui.ctx().request_repaint();
        }
    }
}
