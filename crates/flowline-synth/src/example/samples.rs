//! Samples of the example's threads. They are derived from the markers: the stack of a sample contains the frames of
//! every marker that is open at its time, from the longest to the shortest, so samples and markers agree.
//!
//! The long script sorts all cards again for each column (`placeColumn`), and `compareHeights` reads the height of each
//! card, which forces a layout of the page every time.

use crate::firefox::Category;
use crate::json::{Nanos, Output};
use crate::random::{mix, pick};
use std::collections::HashMap;
use std::io::Write;

/// An activity of a thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct Activity<'a> {
    pub(super) start: Nanos,
    pub(super) end: Nanos,
    pub(super) name: &'a str,
    pub(super) category: Category,
    pub(super) schema: &'a str,
    /// Text of the payload that names the activity.
    pub(super) text: &'a str,
}

/// A row of the frame table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Frame {
    location: String,
    is_shown_with_scripts: bool,
    line: Option<(u64, u64)>,
    /// Numbers of the category and subcategory.
    category: Option<(u64, u64)>,
}

/// A sample: stack, time, and nanoseconds of CPU time since the previous sample.
type Sample = (Option<usize>, Nanos, u64);

/// The samples of a thread and their stacks.
#[derive(Debug, Default)]
pub(super) struct ThreadSamples {
    samples: Vec<Sample>,
    frames: Vec<Frame>,
    frame_numbers: HashMap<Frame, usize>,
    stacks: Vec<(Option<usize>, usize)>,
    stack_numbers: HashMap<(Option<usize>, usize), usize>,
}

impl ThreadSamples {
    /// Samples a thread at `0, interval, 2 * interval, ...` up to `length`, exclusive.
    pub(super) fn new(activities: &[Activity<'_>], is_main: bool, interval: u64, length: Nanos) -> Self {
        let mut executed: Vec<Activity<'_>> = activities.iter().copied().filter(is_executed).collect();
        executed.sort_by_key(|activity| (activity.start, std::cmp::Reverse(activity.end)));
        let mut thread = Self::default();
        // The first stack contains only the root.
        let root = thread.push(None, native_frame("(root)", Some(Category::Other)));
        let base: &[&str] = if is_main {
            &["XRE_main", "nsAppShell::Run", "MessageLoop::Run", "NS_ProcessNextEvent"]
        } else {
            &["start_thread", "nsThread::ThreadFunc", "NS_ProcessNextEvent"]
        };
        let base = base.iter().fold(root, |stack, name| thread.push(Some(stack), native(name)));
        let waiting = thread.push(Some(base), native_frame("poll (in libc.so.6)", Some(Category::Idle)));
        let mut busy_before = 0;
        for number in 0..length.0.div_ceil(interval) {
            let at = Nanos(number * interval);
            let open: Vec<Activity<'_>> =
                executed.iter().filter(|activity| activity.start <= at && at < activity.end).copied().collect();
            let random_bits = mix(2_026, number << 8 | activities.len() as u64 & 0xFF);
            let stack = if open.is_empty() { waiting } else { thread.stack(base, &open, random_bits) };
            let busy = busy_until(&executed, at);
            // A busy thread is sometimes preempted.
            let cpu = (busy - busy_before) * (90 + random_bits % 11) / 100;
            busy_before = busy;
            let is_lost = random_bits % 400 == 1;
            thread.samples.push(((!is_lost).then_some(stack), at, cpu / 1_000 * 1_000));
        }
        thread
    }

    fn push(&mut self, caller: Option<usize>, frame: Frame) -> usize {
        let next = self.frames.len();
        let number = *self.frame_numbers.entry(frame.clone()).or_insert(next);
        if number == next {
            self.frames.push(frame);
        }
        let next = self.stacks.len();
        let stack = *self.stack_numbers.entry((caller, number)).or_insert(next);
        if stack == next {
            self.stacks.push((caller, number));
        }
        stack
    }

    /// Returns the stack of all open activities.
    fn stack(&mut self, base: usize, open: &[Activity<'_>], random_bits: u64) -> usize {
        let mut stack = base;
        for (position, activity) in open.iter().enumerate() {
            let is_innermost = position + 1 == open.len();
            for frame in frames(activity, is_innermost, random_bits) {
                stack = self.push(Some(stack), frame);
            }
        }
        stack
    }

    /// Writes the sample table.
    pub(super) fn write_samples<W: Write>(&self, output: &mut Output<W>, local: impl Fn(Nanos) -> Nanos) {
        output.raw(r#""samples":{"schema":{"stack":0,"time":1,"eventDelay":2,"threadCPUDelta":3},"data":["#);
        for (position, (stack, at, cpu)) in self.samples.iter().enumerate() {
            output.raw(if position == 0 { "[" } else { ",[" });
            match stack {
                Some(stack) => output.int(*stack as u64),
                None => output.raw("null"),
            };
            output.raw(",").ms(local(*at)).raw(",0,").int(*cpu).raw("]");
        }
        output.raw("]}");
    }

    /// Writes the frame and stack tables; `string` returns the index of a string.
    pub(super) fn write_tables<W: Write>(&self, output: &mut Output<W>, mut string: impl FnMut(&str) -> u64) {
        output.raw(
            r#""frameTable":{"schema":{"location":0,"relevantForJS":1,"innerWindowID":2,"implementation":3,"line":4,"#,
        );
        output.raw(r#""column":5,"category":6,"subcategory":7},"data":["#);
        for (position, frame) in self.frames.iter().enumerate() {
            output.raw(if position == 0 { "[" } else { ",\n[" }).int(string(&frame.location));
            output.raw(if frame.is_shown_with_scripts { ",true," } else { ",false," });
            match frame.line {
                Some((line, column)) => output.raw("15,").int(string("ion")).raw(",").int(line).raw(",").int(column),
                None => output.raw("0,null,null,null"),
            };
            match frame.category {
                Some((category, subcategory)) => output.raw(",").int(category).raw(",").int(subcategory).raw("]"),
                None => output.raw(",null,null]"),
            };
        }
        output.raw(r#"]},"stackTable":{"schema":{"prefix":0,"frame":1},"data":["#);
        for (position, (caller, frame)) in self.stacks.iter().enumerate() {
            output.raw(if position == 0 { "[" } else { ",[" });
            match caller {
                Some(caller) => output.int(*caller as u64),
                None => output.raw("null"),
            };
            output.raw(",").int(*frame as u64).raw("]");
        }
        output.raw("]}");
    }
}

/// Returns true if the thread is busy during an activity, rather than waiting for the network or for a timer.
fn is_executed(activity: &Activity<'_>) -> bool {
    let is_wait = matches!(
        activity.schema,
        "Network" | "Timer" | "UserTiming" | "Text" | "IPC" | "WorkerTask" | "ContentfulPaint"
    );
    activity.start < activity.end && !is_wait && activity.name != "getaddrinfo"
}

/// Returns the nanoseconds before a time in which any activity was open. Activities are sorted by start.
fn busy_until(activities: &[Activity<'_>], at: Nanos) -> u64 {
    let (mut busy, mut done) = (0, 0);
    for activity in activities.iter().take_while(|activity| activity.start < at) {
        let (start, end) = (activity.start.0.max(done), activity.end.0.min(at.0));
        busy += end.saturating_sub(start);
        done = done.max(end);
    }
    busy
}

fn native_frame(location: &str, category: Option<Category>) -> Frame {
    let category = category.map(|category| (category as u64, 0));
    Frame { location: location.to_owned(), is_shown_with_scripts: false, line: None, category }
}

/// Returns the frame of a native function.
fn native(name: &str) -> Frame {
    let library = if name == "start_thread" { "libc.so.6" } else { "libxul.so" };
    native_frame(&format!("{name} (in {library})"), None)
}

/// Returns a label frame.
fn label(name: &str, category: Category, subcategory: u64, is_shown_with_scripts: bool) -> Frame {
    let category = Some((category as u64, subcategory));
    Frame { location: name.to_owned(), is_shown_with_scripts, line: None, category }
}

/// Returns the frame of a script function, given as a text such as `name (file.js:12:3)`, at a line within it.
fn script(text: &str, line_in_it: u64) -> Frame {
    let (name, place) = text.strip_suffix(')').and_then(|text| text.split_once(" (")).unwrap_or(("", text));
    let site = match place {
        _ if place.contains("://") => "",
        _ if place.contains(".sys.mjs") => "resource:///modules/",
        _ => "https://gallery.example/",
    };
    let mut numbers = place.rsplit(':').map(|number| number.parse().unwrap_or(1));
    let (column, line): (u64, u64) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(1));
    let place = format!("{site}{place}");
    let location = if name.is_empty() { format!("{place}:1:1") } else { format!("{name} ({place})") };
    let (line, column) = if name.is_empty() { (1, 1) } else { (line, column) };
    // Hot functions are compiled.
    let category = Some((Category::JavaScript as u64, 2));
    Frame { location, is_shown_with_scripts: false, line: Some((line + line_in_it, column + 2)), category }
}

/// Returns the frames of an activity, outermost first.
fn frames(activity: &Activity<'_>, is_innermost: bool, random_bits: u64) -> Vec<Frame> {
    const REFLOWED: [&str; 4] = [
        "nsImageFrame::Reflow",
        "gfxFontGroup::MakeTextRun",
        "nsLineLayout::ReflowFrame",
        "nsFlexContainerFrame::DoFlexLayout",
    ];
    const STYLED: [&str; 3] = [
        "selectors::matching::matches_selector",
        "style::properties::cascade",
        "style::rule_tree::StrongRuleNode::ensure_child",
    ];
    const DECODED: [&str; 3] = ["jsimd_idct_islow_avx2", "decode_mcu", "jsimd_ycc_extbgrx_convert_avx2"];
    const SORTED: &str = "sort (self-hosted:1180:23)";
    let native = |name: &str| native(name);
    let own = || label(activity.name, activity.category, 0, false);
    match activity.name {
        "Runnable" => {
            let name = activity.text.strip_suffix("::Run").unwrap_or(activity.text);
            vec![native("nsThread::ProcessNextEvent"), native(&format!("{name}::Run"))]
        }
        "Function" | "EventHandler" | "FrameRequestCallback" => {
            let mut frames = vec![script(activity.text, random_bits % 4)];
            let sorts = ["sortByHeight (gallery.js:231:15)", "compareHeights (gallery.js:233:24)"];
            match activity.text.split(' ').next() {
                Some("placeColumn") if is_innermost && random_bits.is_multiple_of(9) => {
                    frames.push(script("setPosition (gallery.js:262:5)", 1));
                }
                Some("placeColumn") => {
                    frames.extend([script(sorts[0], 2), sorted(SORTED), script(sorts[1], 1)]);
                }
                Some("sortByHeight") => frames.extend([sorted(SORTED), script(sorts[1], 1)]),
                Some("buildIndex") => frames.push(script("tokenize (gallery.js:24:12)", random_bits % 3)),
                Some("bindCards") => frames.push(label("EventTarget.addEventListener", Category::Dom, 0, true)),
                Some("cosineTransform") if !random_bits.is_multiple_of(3) => {
                    frames.push(script("dot (placeholder.worker.js:51:3)", random_bits % 2));
                }
                _ => {}
            }
            frames
        }
        "Script execution" => vec![native("js::RunScript"), script(activity.text, 0)],
        "Script compile" => {
            vec![label("Script compile", Category::JavaScript, 1, false), native("js::frontend::CompileGlobalScript")]
        }
        "setTimeout callback" => {
            vec![
                native("mozilla::dom::TimeoutManager::RunTimeout"),
                label("setTimeout handler", Category::Dom, 0, true),
            ]
        }
        "DOMEvent" => {
            let name = format!("EventDispatcher::Dispatch {}", activity.text);
            vec![native("mozilla::EventDispatcher::Dispatch"), label(&name, Category::Dom, 0, true)]
        }
        "DoFlushPendingNotifications" => vec![
            label("get HTMLElement.offsetHeight", Category::Dom, 0, true),
            native("mozilla::PresShell::DoFlushPendingNotifications"),
        ],
        "Styles" => vec![
            label("Styles", Category::Layout, 3, false),
            native("Servo_TraverseSubtree"),
            native(pick(&STYLED, random_bits >> 8)),
        ],
        "Reflow (sync)" | "Reflow (interruptible)" => {
            let mut frames = vec![label("Reflow", Category::Layout, 2, false), native("mozilla::PresShell::DoReflow")];
            let depth = 1 + (random_bits >> 16) % 3;
            frames.extend((0..depth).map(|_| native("nsBlockFrame::Reflow")));
            frames.push(native(pick(&REFLOWED, random_bits >> 8)));
            frames
        }
        "GCMinor" => vec![label("GCMinor", Category::Gc, 1, false), native("js::Nursery::collect")],
        "GCSlice" => vec![label("GCSlice", Category::Gc, 2, false), native("js::gc::GCRuntime::incrementalSlice")],
        "ImageDecode" if is_innermost => vec![own(), native(pick(&DECODED, random_bits >> 8))],
        "Rasterize" => vec![
            label(activity.name, Category::Graphics, 2, false),
            native("webrender::renderer::Renderer::draw_frame"),
        ],
        "SwapBuffers" => vec![own(), native_frame("glXSwapBuffers (in libGL.so.1)", None)],
        _ => vec![own()],
    }
}

/// Returns the frame of the engine's sort function, which is self-hosted script code.
fn sorted(location: &str) -> Frame {
    let category = Some((Category::JavaScript as u64, 2));
    Frame { location: location.to_owned(), is_shown_with_scripts: false, line: Some((1_184, 19)), category }
}
