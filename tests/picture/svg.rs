//! Frames as SVG: drawn markers match the CPU reference pixel by pixel, the document is well-formed for any names in
//! the recording, and the screen bounds its size.

use std::sync::Arc;

use flowline::scene::reference::coverage;
use flowline::scene::svg::{RUN_BYTES, SvgWriter, write_frame};
use flowline::scene::{Frame, PrimitiveKind, Scene};
use flowline::session::Session;
use flowline::view::Command;
use proptest::prelude::*;

use crate::fixtures::{index_of, session, session_for, setup, threads};
use crate::random::check;
use crate::recording::{Recording, interval};
use crate::renderer::{is_expected_color, square_color, without_text};
use crate::support::xml::{Element, elements};

fn frame_of(session: &Session) -> Frame {
    Scene::default().build(&session.scene_input()).clone()
}

fn svg_of(frame: &Frame) -> String {
    let mut svg = SvgWriter::new(frame.size, frame.palette.canvas);
    #[expect(clippy::cast_precision_loss, reason = "a short text")]
    let mut measure = |text: &str, size: f32| text.chars().count() as f32 * size * 0.5;
    write_frame(&mut svg, frame, &mut measure);
    svg.finish()
}

/// A frame with only its markers.
fn only_markers(frame: &Frame) -> Frame {
    let batches = frame.batches.iter().filter(|batch| batch.primitive == PrimitiveKind::Marker).cloned().collect();
    Frame { batches, ..without_text(frame) }
}

/// Pixels of a drawing that consists of rectangles, plain or as paths; hatches are transparent.
struct Canvas {
    width: usize,
    pixels: Vec<Option<Option<[u8; 3]>>>,
}

impl Canvas {
    fn draw(size: [u32; 2], all: &[Element]) -> Self {
        let [width, height] = size.map(|side| side as usize);
        let mut canvas = Self { width, pixels: vec![None; width * height] };
        for element in all {
            let Some(group) = element.parent.map(|parent| &all[parent]) else { continue };
            let Some(clip) = group.get("clip-path") else { continue };
            let id = clip.trim_start_matches("url(#").trim_end_matches(')');
            let clip = all.iter().position(|element| element.get("id") == Some(id)).expect("a clip path");
            let clip = all.iter().find(|element| element.parent == Some(clip)).expect("its rectangle");
            let clip = ["x", "y", "width", "height"].map(|side| clip.number(side));
            let clip = [clip[0], clip[1], clip[0] + clip[2], clip[1] + clip[3]];
            match element.name.as_str() {
                "rect" => {
                    let [x, y, w, h] = ["x", "y", "width", "height"].map(|side| element.number(side));
                    let half = element.number("stroke-width") / 2.0;
                    let outside = [x - half, y - half, x + w + half, y + h + half];
                    let inside = [x + half, y + half, x + w - half, y + h - half];
                    canvas.fill(outside, clip, element.get("stroke"));
                    canvas.fill(inside, clip, element.get("fill"));
                }
                "path" => {
                    for run in element.get("d").expect("data").split('M').skip(1) {
                        let numbers: Vec<f32> = run
                            .split(|c: char| " hvz".contains(c))
                            .filter(|number| !number.is_empty())
                            .map(|number| number.parse().expect("a number"))
                            .collect();
                        let [x, y, w, h, back] = numbers[..] else { panic!("{run}") };
                        assert_eq!(back, -w);
                        canvas.fill([x, y, x + w, y + h], clip, element.get("fill"));
                    }
                }
                other => panic!("<{other}>"),
            }
        }
        canvas
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "places on screen")]
    fn fill(&mut self, rect: [f32; 4], clip: [f32; 4], paint: Option<&str>) {
        let Some(paint) = paint else { return };
        let channel = |at: usize| u8::from_str_radix(&paint[at..at + 2], 16).expect("hexadecimal");
        let color = paint.starts_with('#').then(|| [channel(1), channel(3), channel(5)]);
        let [left, top] = [0, 1].map(|side| rect[side].max(clip[side]).max(0.0).round() as usize);
        let [right, bottom] = [2, 3].map(|side| rect[side].min(clip[side]).max(0.0).round() as usize);
        for y in top..bottom.min(self.pixels.len() / self.width) {
            for x in left..right.min(self.width) {
                self.pixels[y * self.width + x] = Some(color);
            }
        }
    }
}

#[test]
fn marker_drawings_match_the_reference() {
    check(60, (threads(), setup(), any::<prop::sample::Index>()), |(threads, setup, which)| {
        let index = index_of(&threads);
        let mut session = session_for(&index, &setup);
        let marker = u32::try_from(which.index(index.profile().marker_count())).expect("few");
        session.apply(Command::Select(Some(flowline::profile::MarkerId(marker))));
        session.refresh_and_wait();
        let frame = only_markers(&frame_of(&session));
        let all = elements(&svg_of(&frame)).map_err(TestCaseError::fail)?;
        let (drawn, seen) = (Canvas::draw(frame.size, &all), coverage(&frame));
        let [width, height] = frame.size.map(|side| side as usize);
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let pixel = drawn.pixels[y * width + x];
            let owner = seen.owner(x, y);
            prop_assert_eq!(pixel.is_some(), owner.is_some(), "at {} {}", x, y);
            let (Some(Some([red, green, blue])), Some(owner)) = (pixel, owner) else { continue };
            let style = frame.instances.markers[owner as usize].packed().style();
            // Corners are square in drawings.
            let (expected, _) = square_color(&frame, owner, x, y);
            // Narrow markers with an unknown end have a single color between the two stripe colors.
            let is_right = is_expected_color([red, green, blue, 255], expected) || style.is_incomplete();
            prop_assert!(is_right, "at {} {}: {:?} instead of {:?}", x, y, pixel, expected);
        }
        Ok(())
    });
}

#[test]
fn the_document_is_well_formed_for_any_name() {
    let nasty = ["<b>&\"'</text>", "a\u{1}\u{b}b\u{ffff}", "]]>", "日本語 🎉", "&amp;", "tab\tand\nline"];
    let rows = nasty.iter().enumerate().map(|(number, name)| {
        let start = number as f64 * 10.0;
        interval(name, start, start + 9.0)
    });
    let recording = Recording::of(rows.collect());
    let index = flowline::index::Index::build(
        Arc::new(crate::recording::read(&recording.raw())),
        flowline::profile::Arrangement::ByName,
    );
    let session = session(&Arc::new(index), 900, 1.0);
    let mut session = session;
    session.refresh_and_wait();
    let all = elements(&svg_of(&frame_of(&session))).expect("well-formed");
    let texts: Vec<&str> = all.iter().filter(|element| element.name == "text").map(|text| &*text.text).collect();
    assert!(texts.contains(&"<b>&\"'</text>") && texts.contains(&"日本語 🎉"), "{texts:?}");
    assert!(texts.contains(&"a\u{fffd}\u{fffd}b\u{fffd}"), "{texts:?}");
    // Text stays text, with its measured width.
    let labels = all.iter().filter(|element| element.name == "text");
    assert!(labels.filter(|text| text.text.chars().count() > 1).all(|text| text.number("textLength") > 0.0));
}

#[test]
fn the_size_of_a_drawing_depends_on_the_screen_not_the_recording() {
    let index = crate::support::synthetic(flowline_synth::Format::Firefox, 300_000, 5);
    let mut session = session(&index, 1024, 1.0);
    // Graphs replace the markers of collapsed threads.
    session.apply(Command::ExpandAll);
    session.canvas.size[1] += 1_000;
    session.canvas.regions.chart.height += 1_000.0;
    session.refresh_and_wait();
    let frame = only_markers(&frame_of(&session));
    let rows = frame.rows.len();
    let bound = rows * 1024 * RUN_BYTES + 10_000;
    let size = svg_of(&frame).len();
    assert!(size < bound, "{size} bytes for {rows} rows");
    assert!(frame.instances.markers.len() > 1000, "many markers are in view");
}
