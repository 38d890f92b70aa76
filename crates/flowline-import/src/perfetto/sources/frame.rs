//! A frame of Android's frame timeline.

use foldhash::HashMap;

use crate::perfetto::json_text::{integer, string, text};
use crate::perfetto::wire::Field;

/// Causes of jank, by bit.
const JANK: [&str; 14] = [
    "None",
    "SurfaceFlinger Scheduling",
    "Prediction Error",
    "Display HAL",
    "SurfaceFlinger CPU Deadline Missed",
    "SurfaceFlinger GPU Deadline Missed",
    "App Deadline Missed",
    "Buffer Stuffing",
    "Unknown Jank",
    "SurfaceFlinger Stuffing",
    "Dropped Frame",
    "Non Animating",
    "App Resynced Jitter",
    "Display not ON",
];
const PRESENT: [&str; 6] =
    ["Unspecified Present", "On-time Present", "Late Present", "Early Present", "Dropped Frame", "Unknown Present"];
const PREDICTION: [&str; 4] =
    ["Unspecified Prediction", "Valid Prediction", "Expired Prediction", "Unknown Prediction"];
const SEVERITY: [&str; 4] = ["Unknown", "None", "Partial", "Full"];

/// Fields of the beginnings of frames.
pub(super) const EXPECTED_DISPLAY: u64 = 1;
pub(super) const ACTUAL_DISPLAY: u64 = 2;
pub(super) const EXPECTED_SURFACE: u64 = 3;
pub(super) const ACTUAL_SURFACE: u64 = 4;
pub(super) const END: u64 = 5;

/// A frame that has begun.
#[derive(Debug, Default)]
pub(in crate::perfetto) struct Frame {
    pub(super) since: i64,
    /// Place of the event that describes it.
    pub(super) place: u64,
    is_actual: bool,
    pub(super) pid: i64,
    layer: String,
    token: i64,
    display_token: Option<i64>,
    present: Option<u64>,
    is_on_time: Option<bool>,
    has_gpu_composition: Option<bool>,
    pub(super) jank: u64,
    prediction: Option<u64>,
    is_buffer: Option<bool>,
    severity: Option<u64>,
}

/// The frames that have not ended, by cookie.
#[derive(Debug, Default)]
pub(in crate::perfetto) struct OpenFrames(pub(super) HashMap<i64, Frame>);

impl Frame {
    /// Reads the beginning of a frame at a time and a place; returns its cookie, too.
    pub(super) fn read(begin: Field<'_>, (since, place): (i64, u64)) -> (i64, Self) {
        let is_surface = matches!(begin.number, EXPECTED_SURFACE | ACTUAL_SURFACE);
        let is_actual = matches!(begin.number, ACTUAL_DISPLAY | ACTUAL_SURFACE);
        let (mut cookie, mut frame) = (0, Self { since, place, is_actual, ..Self::default() });
        for field in begin.message() {
            // Frames of a display lack the token of a display frame and the layer.
            let number = match field.number {
                number if is_surface || number < 3 => number,
                3 => 4,
                number => number + 2,
            };
            match number {
                1 => cookie = field.signed(),
                2 => frame.token = field.signed(),
                3 => frame.display_token = Some(field.signed()),
                4 => frame.pid = field.signed(),
                5 => frame.layer = text(field.bytes()).into_owned(),
                6 => frame.present = Some(field.number()),
                7 => frame.is_on_time = Some(field.is_true()),
                8 => frame.has_gpu_composition = Some(field.is_true()),
                9 => frame.jank = field.number(),
                10 => frame.prediction = Some(field.number()),
                11 if is_surface => frame.is_buffer = Some(field.is_true()),
                11 | 12 => frame.severity = Some(field.number()),
                _ => {}
            }
        }
        (cookie, frame)
    }

    /// The causes of jank; `None` for a frame without jank or an expected frame.
    pub(super) fn jank(&self) -> Option<String> {
        const NO_JANK: u64 = 1;
        if self.jank & !NO_JANK == 0 {
            return None;
        }
        let named = JANK.iter().enumerate().skip(1).filter(|(bit, _)| self.jank & (1 << bit) != 0);
        let names: Vec<&str> = named.map(|(_, name)| *name).collect();
        Some(if names.is_empty() { format!("Jank {:#x}", self.jank) } else { names.join(", ") })
    }

    pub(super) fn track(&self) -> String {
        let kind = if self.is_actual { "Actual frames" } else { "Expected frames" };
        if self.layer.is_empty() { kind.to_owned() } else { format!("{kind}: {}", self.layer) }
    }

    /// Appends the arguments of the slice as an object.
    pub(super) fn write(&self, out: &mut String) {
        out.push_str("{\"token\":");
        integer(out, self.token);
        if let Some(token) = self.display_token {
            out.push_str(",\"display_frame_token\":");
            integer(out, token);
        }
        let mut member = |name: &str, value: Option<&str>| {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                out.push_str(name);
                string(out, value.as_bytes());
            }
        };
        member(",\"layer_name\":", Some(&self.layer));
        let jank = if self.jank == 0 { None } else { Some(self.jank().unwrap_or_else(|| JANK[0].to_owned())) };
        member(",\"jank_type\":", jank.as_deref());
        member(",\"jank_severity_type\":", nth(&SEVERITY, self.severity));
        member(",\"present_type\":", nth(&PRESENT, self.present));
        member(",\"prediction_type\":", nth(&PREDICTION, self.prediction));
        member(",\"finish\":", self.is_on_time.map(|is_on_time| if is_on_time { "On time" } else { "Late" }));
        for (name, value) in [(",\"gpu_composition\":", self.has_gpu_composition), (",\"is_buffer\":", self.is_buffer)]
        {
            if let Some(value) = value {
                out.push_str(name);
                out.push_str(if value { "true" } else { "false" });
            }
        }
        out.push('}');
    }
}

fn nth(names: &[&'static str], number: Option<u64>) -> Option<&'static str> {
    names.get(usize::try_from(number?).ok()?).copied()
}
