//! The input of the commands of the registry.

use egui::Ui;

use flowline_profile::FlowId;
use flowline_session::Session;

/// The recording that a command applies to, and what the user points at.
#[derive(Clone, Copy)]
pub(crate) struct CommandInput<'a> {
    pub(crate) ui: &'a Ui,
    pub(crate) session: &'a Session,
    /// The flow of the focused row of the flow panel.
    pub(crate) focused_flow: Option<FlowId>,
    /// True if the command lasts until its key is released.
    pub(crate) is_held: bool,
}
