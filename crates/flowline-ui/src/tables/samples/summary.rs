//! Time by kind of work: a bar for the range, like the summary in DevTools.

use egui::{Align, Color32, Label, Layout, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::sample_result::SampleResult;
use crate::widgets::style::color;
use flowline_format::{format_duration_ns, format_percent};
use flowline_index::samples::entries::{Work, work_of};
use flowline_index::samples::func_name;
use flowline_index::{IDLE_ENTRY, WARN_ENTRY, color_of_name};
use flowline_profile::samples::FuncFlags;
use flowline_profile::{Kind, Ns, Profile};
use flowline_scene::{Palette, Rgba};

/// Size of the bar in points.
const BAR: egui::Vec2 = vec2(220.0, 9.0);

/// Palette entry of a kind of work.
const fn entry(work: Work) -> u8 {
    match work {
        Work::Loading => Kind::Load as u8,
        Work::Scripting => Kind::Script as u8,
        Work::Rendering => Kind::Layout as u8,
        Work::Painting => Kind::Paint as u8,
        Work::Gpu => Kind::Gpu as u8,
        Work::Messaging => Kind::Ipc as u8,
        Work::Experience => Kind::User as u8,
        Work::Async => WARN_ENTRY,
        Work::Idle => IDLE_ENTRY,
        Work::Other => Kind::System as u8,
    }
}

fn fill(work: Work, palette: &Palette) -> Rgba {
    palette.fill(entry(work))
}

/// Color of a kind of work by its name; `None` for other names.
pub(super) fn fill_of_name(name: &str, palette: &Palette) -> Option<Rgba> {
    Work::ALL.into_iter().find(|work| work.name() == name).map(|work| fill(work, palette))
}

/// Color of an event or a call: that of its kind of work. Calls have shades of it by their names.
pub(super) fn fill_of(profile: &Profile, func: u32, palette: &Palette) -> Rgba {
    const SHADES: u32 = 4;
    let fill = fill(work_of(profile, func), palette);
    let funcs = &profile.stacks.funcs;
    if funcs.get(func as usize).is_none_or(|func| func.flags.has(FuncFlags::IS_EVENT)) {
        return fill;
    }
    let shade = u64::from(color_of_name(func_name(&profile.stacks, func))) % u64::from(SHADES);
    let part = |own: u8, behind: u8| {
        let (own, behind, shade) = (u32::from(own), u32::from(behind), u32::try_from(shade).unwrap_or_default());
        u8::try_from((own * (10 - shade) + behind * shade) / 10).unwrap_or(u8::MAX)
    };
    let behind = palette.canvas;
    [part(fill[0], behind[0]), part(fill[1], behind[1]), part(fill[2], behind[2]), fill[3]]
}

/// Share of the whole range, as a percentage.
fn share(built: &SampleResult, time: Ns) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let (time, whole) = (time.0 as f64, built.tree.whole.time.0.max(1) as f64);
    time / whole * 100.0
}

/// Text of a kind of work with its time and its share.
fn text(built: &SampleResult, (work, time): (Work, Ns)) -> String {
    format!("{} {} ({})", work.name(), format_duration_ns(time.0), format_percent(share(built, time) / 100.0))
}

/// Shows the bar and its legend, if the tree has trace events and calls.
pub(super) fn show(ui: &mut Ui, built: &SampleResult, palette: &Palette) {
    if built.work.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
        ui.add_space(4.0);
        let (bar, response) = ui.allocate_exact_size(BAR, Sense::hover());
        let all = || built.work.iter().map(|part| text(built, *part)).collect::<Vec<_>>().join(", ");
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Time by kind of work: {}", all())));
        ui.painter().rect_filled(bar, 2.0, color(palette.grid));
        let mut left = bar.min.x;
        for (work, time) in &built.work {
            #[expect(clippy::cast_possible_truncation, reason = "points")]
            let width = (share(built, *time) / 100.0) as f32 * bar.width();
            let part = Rect::from_min_max(pos2(left, bar.min.y), pos2((left + width).min(bar.max.x), bar.max.y));
            ui.painter().rect_filled(part, 0.0, color(fill(*work, palette)));
            left += width;
        }
        for part in &built.work {
            // A swatch and its text never wrap apart.
            let text = text(built, *part);
            let font = egui::TextStyle::Small.resolve(ui.style());
            let galley = ui.fonts_mut(|fonts| fonts.layout_no_wrap(text.clone(), font, Color32::PLACEHOLDER));
            let size = vec2(galley.size().x + 16.0, galley.size().y);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                let (swatch, _) = ui.allocate_exact_size(vec2(7.0, 7.0), Sense::hover());
                ui.painter().rect_filled(swatch, 1.5, color(fill(part.0, palette)));
                ui.add(Label::new(RichText::new(text).small().weak()).extend());
            });
        }
    });
}
