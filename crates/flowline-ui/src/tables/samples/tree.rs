//! The call tree and the bottom-up tree.

use egui::accesskit::Action;
use egui::{Id, Key, Rangef, Rect, Response, Role, Ui, pos2, vec2};

use super::function_tree::{FIRST_GROUP, FunctionTree, TimedTree, functions};
use super::outline::{Outline, Row, on_screen};
use super::sample_result::SampleResult;
use super::sample_view::{SampleView, samples_id};
use super::state::SampleTrees;
use super::transforms::{self, TransformKind};
use super::{row, spark_column, summary};
use crate::widgets::menu::row_menu;
use crate::widgets::style::color;
use crate::widgets::table::{self, Body, Cell, CopyRequest, Scroll, TableColumn};
use crate::widgets::{Indent, arrow};
use flowline_index::samples::{Grouping, NodeId, Transform};
use flowline_profile::Profile;
use flowline_scene::Palette;
use flowline_session::{Session, TableFile};

/// User actions on the tree.
#[derive(Default)]
struct TreeActions {
    /// Row under the pointer.
    hovered: Option<usize>,
    /// Pressed row, and true if the press was on its triangle.
    pressed: Option<(usize, bool)>,
    double_clicked: bool,
    transform: Option<(usize, TransformKind)>,
}

/// The results of a tree for the rest of the window.
struct TreeResult {
    transform: Option<Transform>,
    /// Functions of the row whose entries the chart highlights.
    lit: Vec<u32>,
}

/// Shows a tree.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut SampleTrees,
    view: SampleView,
    copying: Option<CopyRequest>,
    palette: &Palette,
) {
    let Some(mut built) = state.built.take() else { return };
    let is_inverted = view == SampleView::BottomUp;
    let columns = state.widths.apply(&row::shown(&built));
    table::resizable_plain_header(ui, &columns, &mut state.widths);
    let shown = (view, columns.as_slice());
    let found = if is_inverted {
        built.inverted.take().map(|mut tree| {
            let rows = (&mut state.caller_rows, &mut state.scrolls[1]);
            let found = body(ui, session, (&built, &mut tree), rows, shown, copying, palette);
            built.inverted = Some(tree);
            found
        })
    } else {
        built.calls.take().map(|mut tree| {
            let rows = (&mut state.call_rows, &mut state.scrolls[0]);
            let found = body(ui, session, (&built, &mut tree), rows, shown, copying, palette);
            built.calls = Some(tree);
            found
        })
    };
    state.built = Some(built);
    let Some(found) = found else { return };
    state.lit = found.lit;
    if let Some(transform) = found.transform {
        state.trail.add(transform);
        ui.ctx().request_repaint();
    }
}

fn body(
    ui: &mut Ui,
    session: &Session,
    (built, tree): (&SampleResult, &mut impl TimedTree),
    (outline, scroll): (&mut Outline, &mut Scroll),
    (view, columns): (SampleView, &[TableColumn]),
    copying: Option<CopyRequest>,
    palette: &Palette,
) -> TreeResult {
    let profile = session.index.profile();
    let is_new = scroll.is_new(ui);
    let is_inverted = view == SampleView::BottomUp;
    let title = if is_inverted { "Bottom-up tree" } else { "Call tree" };
    let count = outline.rows().len();
    let mut body = Body::new(ui, samples_id(view), Role::Tree, || {
        format!("{title}, {}, arrow keys expand and collapse", table::counted(count, "row"))
    });
    if is_new {
        scroll.reveal(outline.cursor());
    }
    let mut acts = TreeActions::default();
    let mut cursor_id = None;
    let (fits, mut indent) = (scroll.fits, None);
    scroll.show(&mut body.ui, count, |ui, number, rect| {
        let shown = outline.rows()[number];
        // Rows are drawn from top to bottom, so the first call has the first visible row.
        let indent = *indent.get_or_insert_with(|| {
            let width = table::spans(columns, rect.x_range())[row::FUNCTION].span();
            Indent::new(on_screen(outline.rows(), number, fits), width)
        });
        let id = ui.scope_id().with(("row", number));
        let is_cursor = number == outline.cursor();
        if is_cursor {
            cursor_id = Some(id);
        }
        let response = paint(
            ui,
            profile,
            (built, tree, columns),
            (shown, indent),
            (id, rect, is_cursor),
            palette,
            &mut acts,
            number,
        );
        if response.hovered() {
            acts.hovered = Some(number);
        }
        row_menu(&response, samples_id(view), is_cursor, |ui| {
            let (path, example) = (functions(tree, shown.node), tree.example(shown.node));
            let offers = |kind: TransformKind| {
                kind.of((profile, &built.tree), &path, example, is_inverted, built.request.implementation).is_some()
            };
            if let Some(kind) = transforms::entries(ui, offers) {
                acts.transform = Some((number, kind));
            }
            match tree.group(shown.node) {
                Some(group) => {
                    if ui.button("Copy name").clicked() {
                        ui.copy_text(group.to_owned());
                    }
                }
                None => row::copy_entries(ui, profile, tree.func(shown.node)),
            }
        });
    });
    if let Some(cursor) = cursor_id {
        body.announce_cursor(cursor);
    }
    let pressed = acts.pressed;
    if let Some((number, on_triangle)) = pressed {
        outline.move_to(number);
        if on_triangle || acts.double_clicked {
            outline.toggle(tree, number);
        }
    }
    if let Some((number, _)) = acts.transform {
        outline.move_to(number);
    }
    let mut kind = acts.transform.map(|(_, kind)| kind);
    let mut wanted = copying;
    if body.focused {
        keys(&body.ui, tree, outline, scroll);
        kind = kind.or_else(|| transforms::pressed(&body.ui));
        wanted = wanted.or_else(|| table::copying(&body.ui));
    }
    copy(&body.ui, (profile, built), tree, outline, wanted);
    let chosen = outline.chosen().filter(|_| body.focused);
    body.finish(pressed.is_some() || is_new);
    let hovered = acts.hovered.and_then(|row| outline.rows().get(row).copied());
    let lit = hovered.or(chosen).map_or_else(Vec::new, |row| functions_of_row(tree, row));
    let transform = kind.zip(outline.current()).and_then(|(kind, current)| {
        let (path, example) = (functions(tree, current.node), tree.example(current.node));
        kind.of((profile, &built.tree), &path, example, is_inverted, built.request.implementation)
    });
    TreeResult { transform, lit }
}

/// Copies the cursor's row, or all rows with indented functions.
fn copy(
    ui: &Ui,
    (profile, built): (&Profile, &SampleResult),
    tree: &impl FunctionTree,
    outline: &Outline,
    wanted: Option<CopyRequest>,
) {
    match (wanted, outline.current()) {
        (Some(CopyRequest::Row), Some(current)) => {
            let cells = cells(profile, built, tree, current.node);
            ui.copy_text(table::line(&cells));
        }
        (Some(CopyRequest::All(format)), _) => {
            let rows = outline.rows();
            let cells: Vec<Vec<Cell>> = rows[..rows.len().min(table::LIMIT)]
                .iter()
                .map(|shown| {
                    let mut cells = cells(profile, built, tree, shown.node);
                    let indent = "  ".repeat(shown.depth);
                    cells[row::FUNCTION] = Cell::Text(format!("{indent}{}", cells[row::FUNCTION].shown()));
                    cells.to_vec()
                })
                .collect();
            ui.copy_text(table::write(format, row::copied(built), &cells, rows.len()));
        }
        _ => {}
    }
}

/// The function of a row, or the functions directly inside a group.
fn functions_of_row(tree: &mut impl FunctionTree, row: Row) -> Vec<u32> {
    if tree.group(row.node).is_none() {
        return vec![tree.func(row.node)];
    }
    tree.children(Some(row.node)).into_iter().map(|node| tree.func(node)).collect()
}

/// Handles keys that move the cursor, expand and collapse.
fn keys(ui: &Ui, tree: &mut impl FunctionTree, outline: &mut Outline, scroll: &mut Scroll) {
    let moved = table::moved(ui, || Some(outline.cursor()), outline.rows().len(), scroll.fits);
    if let Some(row) = moved {
        outline.move_to(row);
    }
    let (right, left) = (table::key(ui, Key::ArrowRight), table::key(ui, Key::ArrowLeft));
    (0..right).for_each(|_| outline.inwards(tree));
    (0..left).for_each(|_| outline.outwards(tree));
    let (enter, heaviest) = (table::key(ui, Key::Enter), table::key(ui, Key::H));
    (0..enter).for_each(|_| outline.toggle(tree, outline.cursor()));
    if heaviest > 0 {
        outline.heaviest(tree);
    }
    let all = table::text_key(ui, "*");
    (0..all).for_each(|_| outline.toggle_all(tree));
    if moved.is_some() || right + left + enter + heaviest + all > 0 {
        scroll.reveal(outline.cursor());
        ui.ctx().request_repaint();
    }
}

/// All rows whose parents are expanded, for export to a file.
pub(super) fn exported(profile: &Profile, state: &SampleTrees, view: SampleView) -> Option<TableFile> {
    let built = state.built.as_ref()?;
    let (name, rows) = if view == SampleView::BottomUp {
        ("bottom-up", listed(profile, built, built.inverted.as_ref()?, &state.caller_rows))
    } else {
        ("call-tree", listed(profile, built, built.calls.as_ref()?, &state.call_rows))
    };
    let level = TableColumn::numbers("Level", 0.0);
    let columns: Vec<TableColumn> = std::iter::once(level).chain(row::copied(built).iter().copied()).collect();
    Some(table::exported(name, &columns, rows.len(), move |row| rows[row].clone()))
}

fn listed(profile: &Profile, built: &SampleResult, tree: &impl FunctionTree, outline: &Outline) -> Vec<Vec<Cell>> {
    let row = |shown: &Row| {
        std::iter::once(Cell::Count(shown.depth + 1)).chain(cells(profile, built, tree, shown.node)).collect()
    };
    outline.rows().iter().map(row).collect()
}

/// Cells of a node; a group has its name in the function column.
fn cells(profile: &Profile, built: &SampleResult, tree: &impl FunctionTree, node: NodeId) -> [Cell; row::COLUMNS] {
    match tree.group(node) {
        None => row::node_cells(profile, built, tree.example(node), tree.costs(node)),
        Some(group) => {
            let mut cells = row::cells(profile, built, tree.func(node), tree.costs(node));
            cells[row::FUNCTION] = Cell::Text(group.to_owned());
            cells
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "inputs of a row")]
fn paint(
    ui: &Ui,
    profile: &Profile,
    (built, tree, columns): (&SampleResult, &impl TimedTree, &[TableColumn]),
    (shown, indent): (Row, Indent),
    (id, rect, is_cursor): (Id, Rect, bool),
    palette: &Palette,
    acts: &mut TreeActions,
    number: usize,
) -> Response {
    let cells = cells(profile, built, tree, shown.node);
    let response = table::row(ui, id, rect, is_cursor, palette);
    table::announce_row(ui, &response, Role::TreeItem, is_cursor, shown.place, || {
        row::sentence(built, &cells, tree.costs(shown.node))
    });
    let parts = built.sparks.get(tree.spark_of(shown.node), |spread| tree.parts(shown.node, spread));
    ui.ctx().accesskit_node_builder(id, |accessible| {
        accessible.set_description(spark_column::description(built, &parts));
        accessible.set_level(shown.depth + 1);
        if let Some(expanded) = shown.expanded {
            accessible.set_expanded(expanded);
            accessible.add_action(if expanded { Action::Collapse } else { Action::Expand });
        }
    });
    let spans = table::spans(columns, rect.x_range());
    for (at, cell) in cells.iter().enumerate().filter(|(at, _)| *at != row::FUNCTION) {
        let tint = table::tint(palette, at > row::FUNCTION || at == 1, is_cursor);
        table::cell(
            ui,
            rect,
            spans[at],
            columns[at].kind,
            crate::widgets::short_location(&cell.shown_in(&columns[at])),
            tint,
        );
    }
    spark_column::paint(ui, rect, spans[spark_column::WHEN], &parts, palette.accent);
    spark_column::explain(&response, built, spans[spark_column::WHEN], &parts, palette);
    let span = spans[row::FUNCTION];
    let left = span.min + indent.of(shown.depth);
    let triangle = Rect::from_center_size(pos2(left + 5.0, rect.center().y), vec2(14.0, rect.height()));
    if let Some(expanded) = shown.expanded {
        arrow(ui.painter(), triangle.center(), expanded, color(palette.text2));
    }
    let (example, is_group) = (tree.example(shown.node), tree.group(shown.node).is_some());
    let mut text = Rangef::new(left + 13.0, span.max);
    if !is_group || built.request.grouping == Grouping::Category {
        let swatch = Rect::from_center_size(pos2(left + 17.0, rect.center().y), vec2(7.0, 7.0));
        let of_work = tree.group(shown.node).and_then(|name| summary::fill_of_name(name, palette));
        let fill = of_work.filter(|_| built.has_work);
        let of_category =
            (is_group && !built.tree.has_entries()).then(|| tree.func(shown.node).saturating_sub(FIRST_GROUP));
        let of_category = of_category.map(|category| row::fill_of_category(profile, category, palette));
        let fill = fill.or(of_category).unwrap_or_else(|| row::fill(profile, built, example, palette));
        ui.painter().rect_filled(swatch, 1.5, color(fill));
        text.min += 12.0;
    }
    if let Some((badge, _)) = row::badge(built, example).filter(|_| !is_group) {
        let width = 26.0;
        table::cell(ui, rect, Rangef::new(text.min, text.min + width), table::ColumnKind::Text, badge, palette.text2);
        text.min += width;
    }
    let name = cells[row::FUNCTION].shown();
    table::cell(ui, rect, text, table::ColumnKind::Text, &name, palette.text);
    let response = table::explain_cell(ui, response, text, &name);

    let asks = |action| ui.input(|input| input.has_accesskit_action_request(id, action));
    let on_triangle = response.interact_pointer_pos().is_some_and(|pointer| triangle.contains(pointer));
    if asks(Action::Expand) || asks(Action::Collapse) {
        acts.pressed = Some((number, true));
    } else if response.clicked() || response.secondary_clicked() {
        acts.pressed = Some((number, response.clicked() && on_triangle));
        acts.double_clicked = response.double_clicked() && !on_triangle;
    }
    response
}
