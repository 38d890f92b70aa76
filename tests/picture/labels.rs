//! Labels of slices: readable on every fill, shortened once, and over nothing else.

use std::sync::Arc;

use flowline::index::{Arrangement, Index};
use flowline::profile::{Ns, TimeRange};
use flowline::scene::reference::coverage;
use flowline::scene::{Frame, Palette, Scene, TextRun};
use flowline::session::Session;
use flowline::view::{Command, Theme};
use serde_json::json;

use crate::fixtures::{MarkerSpec, index_of, session};
use crate::recording::{self, Recording, interval};
use crate::support::example;

fn frame_of(session: &Session) -> Frame {
    Scene::default().build(&session.scene_input()).clone()
}

fn shown(index: &Arc<Index>, (width, scale): (u32, f32), theme: Theme, arrangement: Arrangement) -> Session {
    let mut session = session(index, width, scale);
    session.view.theme = theme;
    session.apply(Command::SetArrangement(arrangement));
    session.apply(Command::ShowIdleThreads(true));
    session.apply(Command::ExpandAll);
    session.refresh_and_wait();
    session
}

/// Average and large width of a letter, and width of an ellipsis, in font sizes.
const LETTER: f32 = 0.5;
const WIDE_LETTER: f32 = 0.58;
const ELLIPSIS: f32 = 0.85;

#[expect(clippy::cast_precision_loss, reason = "a short text")]
fn letters(run: &TextRun) -> f32 {
    run.text.chars().count() as f32
}

#[test]
fn labels_have_the_color_for_their_fill() {
    let slices = (0..4_u8).map(|kind| MarkerSpec { start: i64::from(kind) * 1_000_000, length: 900_000, kind });
    let index = index_of(&vec![slices.collect()]);
    for theme in [Theme::Dark, Theme::Light] {
        let session = shown(&index, (1200, 1.0), theme, Arrangement::ByName);
        let (frame, palette) = (frame_of(&session), Palette::for_theme(theme));
        let seen = coverage(&frame);
        let mut colors = Vec::new();
        for run in &frame.texts {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "screen coordinates")]
            let at = ((run.x + 1.0) as usize, (run.y + run.size / 2.0) as usize);
            let Some(owner) = seen.owner(at.0, at.1) else { continue };
            let instance = frame.instances.markers[owner as usize];
            let entry = frame.rows[instance.row()].entry(instance.packed().style().color());
            assert_eq!(run.color, palette.label_on(entry), "{theme:?}: {} on {entry}", run.text);
            colors.push(run.color);
        }
        assert!(colors.len() >= 4, "{theme:?}: {colors:?}");
        assert!(
            colors.contains(&palette.label_on(flowline::index::IDLE_ENTRY)),
            "{theme:?}: an idle slice has a label"
        );
    }
}

#[test]
fn labels_are_shortened_once_and_keep_three_letters() {
    let mut shortened = 0;
    for (width, scale) in [(500, 1.0), (760, 1.0), (1100, 1.5), (1600, 1.0)] {
        for arrangement in [Arrangement::ByName, Arrangement::Stack] {
            let mut session = shown(&example(), (width, scale), Theme::Dark, arrangement);
            // The tracks of the page's requests are at the top, its rows below them.
            for scroll in [0.0, 200.0, 400.0, 600.0] {
                session.view.scroll = scroll;
                session.refresh_and_wait();
                let frame = frame_of(&session);
                let inside = |run: &&TextRun| run.clip.y >= session.canvas.regions.chart.y;
                for run in frame.texts.iter().filter(inside) {
                    if run.text.contains('…') {
                        shortened += 1;
                        let room = run.clip.width + 1.0;
                        assert!(letters(run) * WIDE_LETTER * run.size <= room, "{} is cut again: {run:?}", run.text);
                    } else if letters(run) * LETTER * run.size > run.clip.width {
                        let least = (3.0 * WIDE_LETTER + ELLIPSIS) * run.size;
                        assert!(run.clip.width >= least - 0.5, "little remains of {}: {run:?}", run.text);
                    }
                }
            }
        }
    }
    assert!(shortened > 0, "labels in the middle of URLs are shortened");
}

#[test]
fn labels_on_a_line_do_not_overlap() {
    /// Less than the width of a letter, in font sizes.
    const NARROW: f32 = 0.4;
    let mut pairs = 0;
    for (arrangement, search) in [
        (Arrangement::ByName, ""),
        (Arrangement::Stack, ""),
        // Collapsed groups and threads with hits that are drawn over each other.
        (Arrangement::ByName, "cat:network"),
        (Arrangement::Stack, "cat:network"),
    ] {
        for is_open in [true, false] {
            let mut session = shown(&example(), (1400, 1.0), Theme::Dark, arrangement);
            if !is_open {
                session.apply(Command::CollapseAll);
            }
            session.apply(Command::Search(search.to_owned()));
            session.refresh_and_wait();
            for scroll in (0..1200).step_by(150) {
                session.view.scroll = f64::from(scroll);
                session.refresh_and_wait();
                let frame = frame_of(&session);
                let chart = session.canvas.regions.chart;
                let mut runs: Vec<&TextRun> = frame.texts.iter().filter(|run| run.y >= chart.y).collect();
                runs.sort_by(|one, other| one.y.total_cmp(&other.y).then(one.x.total_cmp(&other.x)));
                for pair in runs.windows(2).filter(|pair| (pair[0].y - pair[1].y).abs() < 0.5) {
                    pairs += 1;
                    let [left, right] = [pair[0], pair[1]];
                    let end = (left.x + letters(left) * NARROW * left.size).min(left.clip.x + left.clip.width);
                    assert!(end <= right.x, "{arrangement:?} {search}, open {is_open}: {left:?} and {right:?}");
                }
            }
        }
    }
    // The example has 78 of them.
    assert!(pairs > 50, "{pairs} pairs");
}

#[test]
fn no_label_is_over_the_line_of_a_request() {
    let data = json!({"type": "Network", "id": 3, "status": "STATUS_STOP", "URI": "https://a.test/f.css", "pri": -20,
        "requestMethod": "GET", "contentType": "text/css", "responseStatus": 200, "httpVersion": "h2", "count": 77,
        "startTime": 1.0, "endTime": 6.0, "requestStart": 5.0, "responseStart": 5.5, "responseEnd": 6.0});
    let recording = Recording::of(vec![interval("Load 3", 1.0, 6.0).with(data)]);
    let index = Arc::new(Index::build(Arc::new(recording::read(&recording.raw())), Arrangement::ByName));
    assert_eq!(index.network().requests().len(), 1);
    let mut session = shown(&index, (800, 1.0), Theme::Dark, Arrangement::ByName);
    let named = |session: &Session| frame_of(session).texts.iter().filter(|run| run.text.contains("a.test")).count();
    assert_eq!(named(&session), 1, "the request has room for its name");
    // Only the time before the request was sent is in view.
    let at = |us: i64| index.extent().start + Ns(us * 1000);
    session.apply(Command::Show(TimeRange::new(at(1_500), at(3_500))));
    session.refresh_and_wait();
    assert_eq!(named(&session), 0, "a line has no room for a name");
}

#[test]
fn the_scale_of_a_counter_is_readable_over_its_curve() {
    for theme in [Theme::Dark, Theme::Light] {
        let mut session = shown(&example(), (900, 1.0), theme, Arrangement::ByName);
        let mut count = 0;
        for scroll in (0..800).step_by(80) {
            session.view.scroll = f64::from(scroll);
            session.refresh_and_wait();
            let frame = frame_of(&session);
            let canvas = frame.palette.canvas;
            let is_plate = |fill: [u8; 4]| fill[..3] == canvas[..3] && fill[3] >= 180;
            for run in frame.texts.iter().filter(|run| run.text.ends_with(" MB")) {
                count += 1;
                let end = run.x + letters(run) * LETTER * run.size;
                let is_behind = |[x, y, width, _]: [f32; 4]| x <= run.x && y <= run.y + 1.0 && x + width >= end;
                let mut rects = frame.instances.rects.iter();
                assert!(rects.any(|rect| is_plate(rect.fill) && is_behind(rect.rect)), "{theme:?}: {run:?}");
            }
        }
        assert!(count > 0, "a counter of memory is on screen");
    }
}
