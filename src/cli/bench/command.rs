//! `flowline bench`: replays scripted zooming and panning off screen and measures each frame.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::json;

use super::flows::{self, Interactions};
use super::steps::{self, Steps};
use super::{insights, lanes, rows, samples, statistics, waits};
use crate::app::{FrameTimes, Headless, RenderOptions};
use crate::cli::args::BenchArgs;
use crate::cli::opening::{Opening, finish, open, origin_for};
use flowline_format::format_counted;
use flowline_scene::MarkerInstance;
use flowline_terminal::Output;
use flowline_view::Command;

/// Milliseconds of each measured frame.
#[derive(Debug, Default)]
struct Samples {
    cpu: Vec<f64>,
    gpu: Vec<f64>,
    frame: Vec<f64>,
    parts: Vec<FrameTimes>,
    /// Number of marker rectangles drawn.
    rectangles: Vec<f64>,
}

pub(crate) fn run(options: &BenchArgs, opening: &Opening) -> anyhow::Result<()> {
    let origin = origin_for(&options.file);
    let loaded = open(&origin, opening)?;
    // Before the window derives them in the background.
    let insights = insights::measure(&loaded.index);
    let picture = RenderOptions { size: options.size, ..RenderOptions::default() };
    let mut window = Headless::new(loaded.index.clone(), loaded.setup.clone(), origin.path(), &picture)?;
    let adapter = window.gpu.name();
    let expanded = rows::expand_busiest(&mut window, &loaded.index);
    flows::open_panel(&mut window, &loaded.index);
    // A warm-up run fills caches (shaped labels, glyphs), like the first seconds of real use.
    measure(&mut window, (options.seconds / 5).min(Duration::from_secs(1)))?;
    let samples = measure(&mut window, options.seconds)?;
    let interactions = window.shell.session_mut().map(flows::measure).unwrap_or_default();
    let steps = steps::measure(&mut window)?;
    let flow_lanes = lanes::measure(&mut window)?;
    let sampled = samples::measure(loaded.index.profile());
    let answers = statistics::measure(&loaded.index);
    let waits = waits::measure(&loaded.index, &loaded.setup.rules);
    let mut out = Output::new();
    let markers = loaded.index.profile().marker_count();
    if options.json {
        let gpu = if samples.gpu.is_empty() { serde_json::Value::Null } else { summary(&samples.gpu) };
        let part = |of: fn(&FrameTimes) -> f64| summary(&samples.parts.iter().map(of).collect::<Vec<_>>());
        let line = json!({
            "adapter": adapter,
            "markers": markers,
            "frames": samples.cpu.len(),
            "expanded_threads": expanded,
            "cpu_ms": summary(&samples.cpu),
            "gpu_ms": gpu,
            "frame_ms": summary(&samples.frame),
            "input_ms": summary(&steps.input),
            "input_frames": summary(&steps.input_frames),
            "rectangles": summary(&samples.rectangles),
            "interactions_ms": {
                "enter_flow": summary(&interactions.enter),
                "enter_flow_complete": summary(&interactions.enter_all),
                "next_in_flow": summary(&interactions.step),
                "next_in_flow_complete": summary(&interactions.step_all),
                "enter_largest_flow_complete": summary(&interactions.largest),
                "search_first_hits": summary(&steps.search_first),
                "search_all_hits": summary(&steps.search_all),
                "switch_layout": summary(&steps.arrange),
                "switch_layout_complete": summary(&steps.arrange_all),
                "expand_thread": summary(&steps.expand),
                "sort_by_duration": summary(&steps.sort),
                "window_held": summary(&steps.held),
            },
            "statistics_ms": summaries(answers.named()),
            "waits_ms": summaries(waits.named()),
            "flow_lanes_ms": summaries(flow_lanes.named()),
            "insights_ms": insights.iter().map(|(part, time)| (*part, json!(time))).collect::<BTreeMap<_, _>>(),
            "samples": sampled.samples,
            "samples_ms": summaries(sampled.named()),
            "cpu_parts_ms": {
                "ui": part(|times| times.ui_ms),
                "scene": part(|times| times.scene_ms),
                "submit": part(|times| times.submit_ms),
            },
        });
        writeln!(out, "{line}")?;
    } else {
        headline(&mut out, &adapter, markers, samples.cpu.len(), options.size)?;
        let mut row = |name: &str, values: &[f64]| {
            let [p50, p95, p99, max] = percentiles(values);
            writeln!(out, "{name:>14}  p50 {p50:7.3}  p95 {p95:7.3}  p99 {p99:7.3}  max {max:7.3} ms")
        };
        row("CPU", &samples.cpu)?;
        let part = |of: fn(&FrameTimes) -> f64| samples.parts.iter().map(of).collect::<Vec<_>>();
        row("ui", &part(|times| times.ui_ms))?;
        row("scene", &part(|times| times.scene_ms))?;
        row("submit", &part(|times| times.submit_ms))?;
        if !samples.gpu.is_empty() {
            row("GPU", &samples.gpu)?;
        }
        row("frame", &samples.frame)?;
        for (name, times) in interaction_rows(&interactions, &steps) {
            if !times.is_empty() {
                row(name, times)?;
            }
        }
        let calls = sampled.named().into_iter().filter(|_| sampled.samples > 0);
        let answers = answers.named().into_iter().filter(|_| markers > 0);
        let (flow_lanes, waits) = (flow_lanes.named().into_iter(), waits.named().into_iter());
        let others = flow_lanes.chain(waits).filter(|(.., times)| !times.is_empty());
        for (name, _, times) in answers.chain(others).chain(calls) {
            row(name, times)?;
        }
        let all = insights.last().map(|(_, time)| *time);
        row("insights", all.as_slice())?;
        ending(&mut out, &steps.input_frames, &samples.rectangles)?;
    }
    out.flush()?;
    finish(&loaded)?;
    Ok(())
}

/// Returns the names and times of the interactions, one output line each.
fn interaction_rows<'a>(interactions: &'a Interactions, steps: &'a Steps) -> [(&'static str, &'a [f64]); 13] {
    [
        ("input", &steps.input),
        ("enter", &interactions.enter),
        ("complete", &interactions.enter_all),
        ("next", &interactions.step),
        ("complete", &interactions.step_all),
        ("largest", &interactions.largest),
        ("search, first", &steps.search_first),
        ("search, all", &steps.search_all),
        ("switch layout", &steps.arrange),
        ("complete", &steps.arrange_all),
        ("expand thread", &steps.expand),
        ("sort", &steps.sort),
        ("window blocked", &steps.held),
    ]
}

/// Writes a summary of the measurement.
fn headline(
    out: &mut impl Write,
    adapter: &str,
    markers: usize,
    frames: usize,
    [width, height]: [u32; 2],
) -> std::io::Result<()> {
    let (markers, frames) = (format_counted(markers as u64, "marker"), format_counted(frames as u64, "frame"));
    writeln!(out, "{adapter}: {markers}, {frames} of {width}x{height}")
}

/// Writes the input latency in frames and the number of drawn rectangles.
fn ending(out: &mut impl Write, input_frames: &[f64], rectangles: &[f64]) -> std::io::Result<()> {
    let [_, _, _, most] = percentiles(input_frames);
    writeln!(out, "maximum input latency in frames: {most:.0}")?;
    let [p50, _, p99, max] = percentiles(rectangles);
    writeln!(out, "marker rectangles per frame: p50 {p50:.0}, p99 {p99:.0}, max {max:.0}")
}

/// Zooms in and out, pans and scrolls, one step per frame.
fn measure(window: &mut Headless, duration: Duration) -> anyhow::Result<Samples> {
    let mut samples = Samples::default();
    let mut step = 0_u32;
    window.apply(Command::ZoomToAll);
    window.settle();
    // Work still in flight must not count toward the first frame.
    window.wait()?;
    let began = Instant::now();
    while began.elapsed() < duration {
        for command in journey(window, step) {
            window.apply(command);
        }
        let frame_began = Instant::now();
        let times = window.frame();
        window.wait()?;
        samples.frame.push(frame_began.elapsed().as_secs_f64() * 1e3);
        samples.cpu.push(times.total_ms());
        samples.parts.push(times);
        samples
            .rectangles
            .push(window.scenes().iter().map(|scene| f64::from(scene.frame().count::<MarkerInstance>())).sum());
        samples.gpu.extend(window.gpu_ms()?);
        step += 1;
    }
    Ok(samples)
}

/// Returns the commands of a step: a zoom from the full range to microseconds and back in 240 steps, around a moving
/// pixel, with panning and scrolling in between.
fn journey(window: &Headless, step: u32) -> Vec<Command> {
    let width = f64::from(window.shell.regions().chart.width);
    let phase = step % 240;
    let pixel = width * (0.2 + 0.6 * f64::from(step % 97) / 97.0);
    let factor = if phase < 120 { 1.1 } else { 1.0 / 1.1 };
    let pan = if step % 40 < 20 { 7.0 } else { -7.0 };
    let scroll = if step % 480 < 240 { 9.0 } else { -9.0 };
    vec![
        Command::Zoom { pixel, factor, animated: false },
        Command::Pan { pixels: pan, animated: false },
        Command::Scroll(scroll),
    ]
}

/// Returns p50, p95, p99 and the maximum.
fn percentiles(values: &[f64]) -> [f64; 4] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |part: usize| sorted.get(((sorted.len() * part).div_ceil(100)).saturating_sub(1)).copied().unwrap_or(0.0);
    [at(50), at(95), at(99), at(100)]
}

fn summary(values: &[f64]) -> serde_json::Value {
    let [p50, p95, p99, max] = percentiles(values).map(|ms| (ms * 1e4).round() / 1e4);
    json!({"p50": p50, "p95": p95, "p99": p99, "max": max})
}

/// Returns the summaries of named times.
fn summaries<const N: usize>(
    named: [(&'static str, &'static str, &[f64]); N],
) -> BTreeMap<&'static str, serde_json::Value> {
    named.map(|(_, key, times)| (key, summary(times))).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::percentiles;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!(percentiles(&values), [100.0, 190.0, 198.0, 200.0]);
        assert_eq!(percentiles(&[]), [0.0; 4]);
    }
}
