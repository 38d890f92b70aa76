//! The signs of the flow panel's rows, explained in its menu.

use egui::{Align2, FontId, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::widgets::hatch;
use crate::widgets::style::{SMALL, color};
use flowline_profile::Kind;
use flowline_scene::Palette;

/// Height of a line, width of its sign, and left edges of sign and text, in points.
const ROW: f32 = 20.0;
const SIGN: f32 = 26.0;
const LEFT: f32 = 8.0;
const TEXT: f32 = LEFT + SIGN + 8.0;
/// Width of the legend in points.
const WIDTH: f32 = 290.0;

/// A sign on the rows.
#[derive(Clone, Copy)]
enum Sign {
    Run,
    Wait,
    Network,
    Dot,
    Box,
    Lit,
}

/// The signs with their meanings, from the most to the least common one.
const SIGNS: [(Sign, &str); 6] = [
    (Sign::Run, "Runs"),
    (Sign::Wait, "Waits for a thread"),
    (Sign::Network, "Waits for the network or the server"),
    (Sign::Dot, "A marker begins"),
    (Sign::Box, "Extent by its flow rule, and markers around it"),
    (Sign::Lit, "Caused, or caused by, a marker of the flow"),
];

/// Shows the signs.
pub(super) fn show(ui: &mut Ui, palette: &Palette) {
    for (sign, text) in SIGNS {
        let (rect, response) = ui.allocate_exact_size(vec2(WIDTH, ROW), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
        let middle = rect.center().y;
        draw(ui, sign, Rect::from_center_size(pos2(rect.min.x + LEFT + SIGN / 2.0, middle), vec2(SIGN, 10.0)), palette);
        let place = pos2(rect.min.x + TEXT, middle);
        ui.painter().text(place, Align2::LEFT_CENTER, text, FontId::proportional(SMALL), color(palette.text2));
    }
}

fn draw(ui: &Ui, sign: Sign, area: Rect, palette: &Palette) {
    let (fill, network) = (color(palette.fill(Kind::Script as u8)), color(palette.fill(Kind::Network as u8)));
    let painter = ui.painter();
    let line = Stroke::new(1.5, color(palette.edge(Kind::Script as u8)));
    match sign {
        Sign::Run => {
            painter.rect_filled(area, 0.0, fill);
        }
        Sign::Wait => hatch(ui, area, color(palette.warn)),
        Sign::Network => hatch(ui, area, network),
        Sign::Dot => {
            painter.circle(area.center(), 3.5, color(palette.canvas), line);
        }
        Sign::Box => {
            painter.hline(area.x_range(), area.center().y, line);
            let inside = area.shrink2(vec2(6.0, 0.0));
            painter.rect(inside, 4.0, color(palette.panel), line, StrokeKind::Inside);
        }
        Sign::Lit => {
            painter.rect(area, 0.0, fill, Stroke::new(1.5, color(palette.select)), StrokeKind::Inside);
        }
    }
}
