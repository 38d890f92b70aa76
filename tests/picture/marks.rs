//! Marks on slices: harm, the name of the selected one, and outlines outside.

use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::harm::Harm;
use flowline::profile::{LocalMarker, MarkerId};
use flowline::scene::reference::coverage;
use flowline::scene::{Emphasis, Frame, MarkerInstance, Scene};
use flowline::session::Session;
use flowline::view::{Command, Theme};
use serde_json::{Value, json};

use crate::fixtures::session;
use crate::recording::read_bytes;
use crate::renderer::{Renderer, all_but_markers, expected_color, is_expected_color, outline_at, without_text};

/// A long task with forced layout, a short task, and instants of which one stands alone.
fn index() -> Arc<Index> {
    let slice =
        |name: &str, ts: i64, dur: i64| json!({"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur});
    let instant = |ts: i64| json!({"ph": "i", "s": "t", "name": "mark", "pid": 1, "tid": 2, "ts": ts});
    let events = vec![
        json!({"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "CrRendererMain"}}),
        slice("RunTask", 0, 120_000),
        slice("EvaluateScript", 1_000, 110_000),
        slice("Layout", 10_000, 40_000),
        slice("RunTask", 150_000, 30_000),
        instant(5_000),
        instant(90_000),
        instant(90_300),
    ];
    let profile = read_bytes(Value::from(events).to_string().into_bytes()).expect("a trace");
    let index = Index::build(Arc::new(profile), Arrangement::Stack);
    Harm::of(&index);
    Arc::new(index)
}

fn window(index: &Arc<Index>, scale: f32, theme: Theme) -> Session {
    let mut session = session(index, 400, scale);
    session.view.theme = theme;
    session.apply(Command::SetArrangement(Arrangement::Stack));
    session.apply(Command::ShowIdleThreads(true));
    session.apply(Command::ExpandAll);
    session.refresh_and_wait();
    session
}

fn frame_of(session: &Session) -> Frame {
    Scene::default().build(&session.scene_input()).clone()
}

/// Number of instances with a mark.
fn marked(frame: &Frame, mark: u32) -> usize {
    frame.instances.markers.iter().filter(|instance| instance.has(mark)).count()
}

#[test]
fn harm_is_drawn_as_in_the_reference_at_all_scales_in_both_themes() {
    let (index, mut renderer) = (index(), Renderer::new());
    for (scale, theme) in [(1.0, Theme::Dark), (1.25, Theme::Light), (1.5, Theme::Dark), (2.0, Theme::Light)] {
        let mut session = window(&index, scale, theme);
        for selected in [None, Some(MarkerId(0))] {
            session.apply(Command::Select(selected));
            session.refresh_and_wait();
            let frame = frame_of(&session);
            // The selected task is drawn again over its row.
            let of_task = 1 + usize::from(selected.is_some());
            assert_eq!(marked(&frame, MarkerInstance::LONG), of_task, "one task is long");
            assert_eq!(marked(&frame, MarkerInstance::FORCED), 1, "one layout is forced");
            let (picture, empty) = (renderer.draw(&without_text(&frame)), renderer.draw(&all_but_markers(&frame)));
            let seen = coverage(&frame);
            let mut red = 0;
            for (x, y) in (0..picture.height).flat_map(|y| (0..picture.width).map(move |x| (x, y))) {
                let pixel = picture.pixel(x, y);
                if let Some(color) = outline_at(&frame, x as usize, y as usize) {
                    assert_eq!(pixel, color, "the outline at {x}, {y}");
                    continue;
                }
                match seen.owner(x as usize, y as usize) {
                    Some(owner) => {
                        let wanted = expected_color(&frame, owner, x as usize, y as usize);
                        assert!(is_expected_color(pixel, wanted), "{x}, {y} at {scale}: {pixel:?}, not {wanted:?}");
                    }
                    None => assert_eq!(pixel, empty.pixel(x, y), "{x}, {y}"),
                }
                red += usize::from(pixel == frame.palette.bad);
            }
            assert!(red > 60, "{red} red pixels");
        }
    }
}

#[test]
fn slices_with_the_name_of_the_selected_one_are_outlined() {
    let index = index();
    let mut session = window(&index, 1.0, Theme::Dark);
    session.apply(Command::Select(Some(MarkerId(0))));
    session.refresh_and_wait();
    let frame = frame_of(&session);
    let alike: Vec<_> =
        frame.instances.markers.iter().filter(|instance| instance.emphasis() == Emphasis::Alike as u32).collect();
    // Both tasks; the selected one is drawn again over its own outline.
    assert_eq!(alike.len(), 2, "{alike:?}");
    let outline: Vec<_> = (0..frame.size[1] as usize)
        .flat_map(|y| (0..frame.size[0] as usize).map(move |x| (x, y)))
        .filter(|(x, y)| outline_at(&frame, *x, *y).is_some())
        .collect();
    assert!(!outline.is_empty(), "the selected task has an outline");
    let seen = coverage(&frame);
    let own = |(x, y): &&(usize, usize)| {
        seen.owner(*x, *y)
            .is_some_and(|owner| frame.instances.markers[owner as usize].emphasis() == Emphasis::Selected as u32)
    };
    assert_eq!(outline.iter().filter(own).count(), 0, "it is outside");
}

#[test]
fn an_instant_is_a_diamond_only_while_it_stands_alone() {
    let index = index();
    let session = window(&index, 1.0, Theme::Dark);
    let frame = frame_of(&session);
    let profile = index.profile();
    let alone: Vec<i64> = frame
        .instances
        .markers
        .iter()
        .filter(|instance| instance.has(MarkerInstance::ALONE))
        .map(|instance| index.clock().time(instance.packed().start()).0)
        .collect();
    let thread = profile.threads.iter().find(|thread| thread.tid == "2").expect("the thread of instants");
    assert_eq!(alone, [thread.markers.start(LocalMarker::new(0)).0], "the others are neighbors");
    let named = frame.texts.iter().filter(|run| &*run.text == "mark").count();
    assert_eq!(named, 1, "its name is beside it");
}
