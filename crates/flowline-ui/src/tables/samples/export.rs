//! Export of stacks for other tools, to the clipboard or a file.

use std::fmt::Write as _;
use std::sync::Arc;

use egui::containers::menu::menu_style;
use egui::{Popup, Ui};

use super::sample_result::SampleResult;
use super::sample_view::SampleView;
use super::state::SampleTrees;
use super::{event_log, functions, row, tree};
use crate::widget_requests::{TreeStacks, WidgetRequest, post};
use crate::widgets::icon::{Icon, icon_button};
use crate::widgets::menu::scrolling;
use crate::widgets::table;
use flowline_profile::Profile;
use flowline_session::Job;

/// Maximum number of copied stacks.
const LIMIT: usize = 100_000;

/// Shows the menu that copies and saves stacks.
pub(super) fn more_menu(ui: &mut Ui, profile: &Arc<Profile>, state: &SampleTrees) {
    let Some(built) = &state.built else { return };
    let button = icon_button(ui, Icon::Dots, "More", "Copy or save stacks");
    Popup::menu(&button).style(menu_style).show(|ui| scrolling(ui, |ui| entries(ui, profile, built)));
}

fn entries(ui: &mut Ui, profile: &Arc<Profile>, built: &SampleResult) {
    let hint = "Copy the shown stacks as collapsed stacks (main;work;sort 12) for other flame graph tools";
    if ui.button("Copy stacks").on_hover_text(hint).clicked() {
        ui.copy_text(collapsed(profile, built));
        ui.close();
    }
    let hint = "Save the shown stacks for other tools, as a speedscope file or collapsed stacks";
    if ui.button("Save stacks…").on_hover_text(hint).clicked() {
        ui.close();
        let threads: Vec<&str> =
            built.request.threads.iter().map(|thread| profile.thread(*thread).name.as_str()).collect();
        let stacks = TreeStacks {
            profile: Arc::clone(profile),
            tree: Arc::clone(&built.tree),
            unit: built.unit,
            title: threads.join(", "),
        };
        post(ui.ctx(), WidgetRequest::ShowStacksDialog(stacks));
    }
}

/// Shows the button that exports the rows of a tree or list to a file.
pub(super) fn rows_button(ui: &mut Ui, profile: &Profile, state: &SampleTrees, view: SampleView) {
    table::export_button(ui, state.built.is_some() && !state.is_busy(), || match view {
        SampleView::CallTree | SampleView::BottomUp => tree::exported(profile, state, view),
        SampleView::Functions => functions::exported(profile, state),
        SampleView::EventLog => event_log::exported(profile, state),
        SampleView::Flame => None,
    });
}

/// The stacks of the tree with their self weights, in collapsed format.
fn collapsed(profile: &Profile, built: &SampleResult) -> String {
    let (tree, mut text) = (&built.tree, String::new());
    let costly = (0_u32..).take(tree.nodes.len()).filter(|node| !tree.own[*node as usize].is_zero());
    for node in costly.take(LIMIT) {
        let mut names: Vec<String> = tree
            .nodes
            .walk(node)
            .map(|node| row::node_name(profile, built, node).replace([';', '\n', '\r'], ":"))
            .collect();
        names.reverse();
        // Writing to a string cannot fail.
        let _infallible = writeln!(text, "{} {}", names.join(";"), tree.own[node as usize].weight);
    }
    text
}
