//! Text of the lanes of the overview at the pointer.

use egui::{Pos2, pos2};

use super::tooltip_text::TooltipText;
use crate::canvas::overview_labels::cpu_name;
use flowline_format::{format_counted, format_duration_ns, format_percent};
use flowline_insights::overview::{BINS, CpuLane, Responsiveness};
use flowline_profile::{Ns, TimeRange};
use flowline_session::Session;

/// Distance in points within which a bar of the first lane counts as pointed at. The bars of short tasks are as narrow.
const REACH: f32 = 2.0;
/// At most this many requests are named.
const NAMED: usize = 2;

/// The lane at `pointer`; `None` outside the lanes, and in that of screenshots, which shows a picture.
pub(super) fn text(session: &Session, pointer: Pos2, has_details: bool) -> Option<TooltipText> {
    let input = session.scene_input();
    let (lanes, parts, region) = (input.scope.lanes()?, input.overview_parts(), input.regions.overview);
    let place = pos2(pointer.x * input.scale, pointer.y * input.scale);
    if !region.contains(place.x, place.y) {
        return None;
    }
    let extent = input.scope.overview(input.index);
    let time = |x: f32| time_at(extent, (x - region.x) / region.width.max(1.0));
    let is_in = |part: Option<flowline_scene::PixelRect>| part.is_some_and(|part| part.contains(place.x, place.y));
    let mut text = if is_in(parts.tasks) {
        let reach = REACH * input.scale;
        let near = TimeRange { start: time(place.x - reach), end: time(place.x + reach) };
        responsiveness(lanes.responsiveness.as_ref()?, near, has_details)
    } else if is_in(parts.cpu) {
        let mut text = TooltipText::new(None, "CPU", cpu(&lanes.cpu, time(place.x)), has_details);
        text.reason(cpu_name(session));
        text
    } else if is_in(parts.network) {
        network(session, time(place.x), has_details)?
    } else {
        return None;
    };
    text.place(format!("at {}", session.view.clock().position(time(place.x))));
    Some(text)
}

/// The time at a part of the overview's width, 0 to 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates")]
fn time_at(extent: TimeRange, part: f32) -> Ns {
    extent.start + Ns((f64::from(part.clamp(0.0, 1.0)) * extent.len() as f64) as i64)
}

/// The longest task near the pointer, or else the number of all of them.
fn responsiveness(lane: &Responsiveness, near: TimeRange, has_details: bool) -> TooltipText {
    let own = lane.times().filter(|times| times.start <= near.end && near.start <= times.end);
    match own.max_by_key(|times| times.len()) {
        Some(times) => {
            let name = lane.one();
            let name = name.get(..1).unwrap_or_default().to_uppercase() + name.get(1..).unwrap_or_default();
            TooltipText::new(None, &name, format_duration_ns(times.len()), has_details)
        }
        None => {
            let mut text = TooltipText::new(None, lane.name(), "none here".to_owned(), has_details);
            let count = format_counted(lane.count() as u64, lane.one());
            text.reason(format!("{count}, {} in all", format_duration_ns(lane.total().0)));
            text
        }
    }
}

/// The use of the CPU in the column of a time. Several threads can use more than one CPU.
#[expect(clippy::cast_precision_loss, reason = "a share")]
fn cpu(lane: &CpuLane, time: Ns) -> String {
    let range = lane.range();
    let since = i128::from((time - range.start).0.clamp(0, range.len()));
    let bin = usize::try_from(since * BINS as i128 / i128::from(range.len().max(1))).unwrap_or(0).min(BINS - 1);
    let worked: u64 = lane.column(bin).iter().sum();
    format_percent(worked as f64 * BINS as f64 / range.len().max(1) as f64)
}

/// The requests that were running at a time.
fn network(session: &Session, time: Ns, has_details: bool) -> Option<TooltipText> {
    let requests = session.index.network_if_built()?.requests();
    let running: Vec<_> = requests.iter().filter(|own| own.start <= time && time <= own.end).collect();
    let count = format_counted(running.len() as u64, "request");
    let mut text = TooltipText::new(None, "Network", count, has_details);
    let names: Vec<&str> = running.iter().take(NAMED).map(|own| own.short_name()).collect();
    let more = if running.len() > NAMED { ", …" } else { "" };
    text.reason(format!("{}{more}", names.join(", ")));
    Some(text)
}
