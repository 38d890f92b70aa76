//! The work of one frame: the task of the main thread, the compositor, and the small tasks of all threads.

use std::io::Write;

use super::events::{Events, FRAME, LAYER_TREE, Name, Track};
use crate::random::Random;

/// Length of a frame in microseconds.
pub(super) const LENGTH: u64 = 16_667;
/// From here on, a frame has time for other tasks of the main thread.
pub(super) const FREE: u64 = 10_000;

const TIMELINE: &str = "devtools.timeline";
const DETAILS: &str = "disabled-by-default-devtools.timeline";
const FRAMES: &str = "disabled-by-default-devtools.timeline.frame";
pub(super) const TASK: Name = ("RunTask", DETAILS);
pub(super) const CALL: Name = ("FunctionCall", TIMELINE);
pub(super) const LAYOUT: Name = ("Layout", TIMELINE);
pub(super) const STYLE: Name = ("UpdateLayoutTree", "blink,devtools.timeline");

/// Functions of the page: name, address of the script, line.
pub(super) const FUNCTIONS: [(&str, &str, u64); 6] = [
    ("step", "https://shop.example/app.js", 16),
    ("render", "https://shop.example/app.js", 240),
    ("onClick", "https://shop.example/app.js", 912),
    ("schedule", "https://shop.example/vendor.js", 44),
    ("track", "https://www.google-analytics.com/analytics.js", 3),
    ("load", "https://connect.facebook.net/sdk.js", 7),
];

/// A frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) number: u64,
    /// Its start in microseconds.
    pub(super) start: u64,
}

/// Arguments of a call of a function.
pub(super) fn call_args(function: usize) -> String {
    let (name, url, line) = FUNCTIONS[function % FUNCTIONS.len()];
    format!(
        r#"{{"data":{{"columnNumber":27,"frame":"{FRAME}","functionName":"{name}","lineNumber":{line},"scriptId":"{}","url":"{url}"}}}}"#,
        4 + function % FUNCTIONS.len(),
    )
}

/// Arguments of a layout of objects.
pub(super) fn layout_args(dirty: u64) -> String {
    format!(
        r#"{{"beginData":{{"dirtyObjects":{dirty},"frame":"{FRAME}","partialLayout":false,"totalObjects":{}}}}}"#,
        dirty + 400
    )
}

/// Arguments of the style of elements.
pub(super) fn style_args(elements: u64) -> String {
    format!(r#"{{"beginData":{{"frame":"{FRAME}"}},"elementCount":{elements}}}"#)
}

impl Frame {
    /// The compositor begins the frame, and drops it if the main thread is busy.
    pub(super) fn begin<W: Write>(self, events: &mut Events<W>, is_dropped: bool) {
        let (number, start) = (self.number, self.start);
        let args = format!(r#"{{"frameSeqId":{number},"layerTreeId":{LAYER_TREE}}}"#);
        events.instant(Track::Compositor, ("BeginFrame", FRAMES), start, &args);
        if is_dropped {
            let args = format!(r#"{{"frameSeqId":{number},"hasPartialUpdate":false,"layerTreeId":{LAYER_TREE}}}"#);
            events.instant(Track::Compositor, ("DroppedFrame", FRAMES), start + LENGTH - 100, &args);
        }
    }

    /// The main thread makes the frame, and the compositor shows it.
    pub(super) fn show<W: Write>(self, events: &mut Events<W>, random: &mut Random) {
        self.main(events, random);
        self.compositor(events);
        self.pipeline(events);
    }

    fn main<W: Write>(self, events: &mut Events<W>, random: &mut Random) {
        let (number, start) = (self.number, self.start);
        let main = Track::Main;
        let frame = format!(r#"{{"data":{{"frame":"{FRAME}","isMainFrame":true,"isOutermostMainFrame":true}}}}"#);
        let id = format!(r#"{{"data":{{"frameId":{number}}},"layerTreeId":{LAYER_TREE}}}"#);
        events.slice(main, TASK, (start + 1_000, 8_000), "{}");
        events.instant(main, ("BeginMainThreadFrame", FRAMES), start + 1_010, &id);
        if number.is_multiple_of(2) {
            events.slice(main, ("HitTest", TIMELINE), (start + 1_100, 50), "{}");
        }
        let callback = format!(r#"{{"data":{{"frame":"{FRAME}","id":{number}}}}}"#);
        events.slice(main, ("FireAnimationFrame", TIMELINE), (start + 1_200, 2_000), &callback);
        let function = usize::try_from(random.below(6)).unwrap_or(0);
        events.slice(main, CALL, (start + 1_250, 1_900), &call_args(function));
        events.slice(main, ("v8.callFunction", "v8"), (start + 1_260, 1_850), "{}");
        events.instant(main, ("ScheduleStyleRecalculation", TIMELINE), start + 1_300, &frame);
        events.instant(main, ("InvalidateLayout", TIMELINE), start + 1_320, &frame);
        if number.is_multiple_of(4) {
            events.slice(main, STYLE, (start + 1_400, 300), &style_args(random.below(60)));
            events.slice(main, LAYOUT, (start + 1_750, 500), &layout_args(random.below(90)));
        }
        events.instant(main, ("RequestAnimationFrame", TIMELINE), start + 3_050, &callback);
        events.slice(main, ("RunMicrotasks", TIMELINE), (start + 3_300, 100), "{}");
        events.slice(main, STYLE, (start + 3_600, 900), &style_args(random.below(400)));
        events.slice(main, LAYOUT, (start + 4_600, 800), &layout_args(random.below(300)));
        events.slice(main, ("LocalFrameView::performLayout", "blink"), (start + 4_650, 700), "{}");
        let observer = ("IntersectionObserverController::computeIntersections", TIMELINE);
        events.slice(main, observer, (start + 5_450, 60), "{}");
        let tree = format!(r#"{{"data":{{"frame":"{FRAME}","layerTreeId":{LAYER_TREE}}}}}"#);
        events.instant(main, ("SetLayerTreeId", DETAILS), start + 5_590, &tree);
        events.slice(main, ("PrePaint", TIMELINE), (start + 5_600, 400), &frame);
        for part in 0..2 {
            events.slice(main, ("Paint", TIMELINE), (start + 6_050 + 400 * part, 350), &frame);
        }
        if number.is_multiple_of(3) {
            let node = random.below(400);
            let image = format!(
                r#"{{"data":{{"frame":"{FRAME}","height":200,"isCSS":false,"isPicture":false,"loadingAttribute":"","nodeId":{node},"nodeName":"IMG","srcHeight":400,"srcWidth":640,"srcsetAttribute":"","url":"https://shop.example/image{}.png","width":320,"x":8,"y":226}}}}"#,
                node % 24
            );
            events.slice(main, ("PaintImage", DETAILS), (start + 6_100, 80), &image);
        }
        for object in 0..4 {
            let name = ("PaintTimingVisualizer::LayoutObjectPainted", "loading");
            events.instant(main, name, start + 6_500 + 20 * object, "{}");
        }
        events.slice(main, ("Layerize", TIMELINE), (start + 6_900, 200), &frame);
        for layer in 0..3 {
            events.slice(main, ("UpdateLayer", TIMELINE), (start + 7_110 + 100 * layer, 80), "{}");
        }
        let commit = format!(r#"{{"frameSeqId":{number},"layerTreeId":{LAYER_TREE}}}"#);
        events.slice(main, ("Commit", DETAILS), (start + 7_500, 400), &commit);
    }

    fn compositor<W: Write>(self, events: &mut Events<W>) {
        let (number, start) = (self.number, self.start);
        let tree = format!(r#"{{"layerTreeId":{LAYER_TREE}}}"#);
        let drawn = format!(r#"{{"frameSeqId":{number},"layerTreeId":{LAYER_TREE}}}"#);
        events.instant(Track::Compositor, ("RequestMainThreadFrame", FRAMES), start + 300, &tree);
        let frame = format!(r#"{{"frameId":{number},"layerTreeId":{LAYER_TREE}}}"#);
        events.instant(Track::Compositor, ("ActivateLayerTree", FRAMES), start + 9_500, &frame);
        events.slice(Track::Compositor, TASK, (start + 9_900, 900), "{}");
        events.slice(Track::Compositor, ("LayerTreeHostImpl::DrawLayers", "cc"), (start + 10_000, 600), "{}");
        events.instant(Track::Compositor, ("DrawFrame", FRAMES), start + 10_700, &drawn);
        let flow = ("AnimationFrame", TIMELINE);
        events.flow(flow, (Track::Main, start + 7_500), (Track::Compositor, start + 10_000));
        for task in 0..2 {
            let at = start + 8_200 + 700 * task;
            events.slice(Track::Raster, TASK, (at, 600), "{}");
            events.slice(Track::Raster, ("RasterTask", TIMELINE), (at + 20, 500), "{}");
        }
    }

    /// The stages of the frame.
    fn pipeline<W: Write>(self, events: &mut Events<W>) {
        const STAGES: [(&str, u64, u64); 6] = [
            ("BeginImplFrameToSendBeginMainFrame", 0, 300),
            ("SendBeginMainFrameToCommit", 300, 7_200),
            ("Commit", 7_500, 400),
            ("EndCommitToActivation", 7_900, 1_600),
            ("EndActivateToSubmitCompositorFrame", 9_500, 1_200),
            ("SubmitCompositorFrameToPresentationCompositorFrame", 10_700, 5_900),
        ];
        let cc = "cc,benchmark,disabled-by-default-devtools.timeline.frame";
        let state = if self.number.is_multiple_of(9) { "STATE_DROPPED" } else { "STATE_PRESENTED_ALL" };
        let args = format!(
            r#"{{"frame_reporter":{{"affects_smoothness":true,"frame_sequence":{},"frame_source":5,"state":"{state}"}}}}"#,
            self.number
        );
        events.operation(Track::Compositor, ("PipelineReporter", cc), (self.start, 16_600), &args);
        for (name, from, length) in STAGES {
            events.operation(Track::Compositor, (name, cc), (self.start + from, length), "{}");
        }
        for (name, from, length) in [
            ("AnimationFrame", 1_000, 8_000),
            ("AnimationFrame::Render", 3_500, 4_500),
            ("AnimationFrame::StyleAndLayout", 3_600, 1_800),
        ] {
            events.operation(Track::Main, (name, TIMELINE), (self.start + from, length), "{}");
        }
    }

    /// Small tasks of all threads, until a time.
    pub(super) fn tasks<W: Write>(self, events: &mut Events<W>, is_busy: bool) {
        let watcher = ("SimpleWatcher::OnHandleReady", "toplevel");
        for task in 0..6 {
            if !is_busy {
                let at = self.start + FREE + 200 + 900 * task;
                events.slice(Track::Main, TASK, (at, 120 + 60 * task), "{}");
                if task % 2 == 0 {
                    events.slice(Track::Main, watcher, (at + 10, 90), "{}");
                }
            }
            events.slice(Track::Io, TASK, (self.start + 1_500 * task, 400), "{}");
            events.slice(Track::Browser, TASK, (self.start + 2_000 * task, 300 + 150 * task), "{}");
            events.slice(Track::Compositor, TASK, (self.start + 400 + 1_500 * task, 200), "{}");
        }
    }
}
