//! A marker as a JSON object, with its data and its stack.

use std::fmt::{Display, Write as _};

use super::event_stacks::EventStacks;
use flowline_json::write_json_string;
use flowline_profile::samples::{ANONYMOUS, Frame, NONE};
use flowline_profile::stack::StackTrace;
use flowline_profile::{FuncId, LocalMarker, MarkerFlags, Profile, StackId, ThreadId, TrackKind};

/// Appends a marker as one object on one line. `depth` is its depth in the stack of its thread, which only traces have.
pub fn write_marker_json(
    line: &mut String,
    stacks: &EventStacks<'_>,
    (id, local): (ThreadId, LocalMarker),
    depth: Option<u32>,
) {
    let profile = stacks.profile();
    let thread = profile.thread(id);
    let markers = &thread.markers;
    let category = profile.category_name(markers.category(local));
    // Writing to a string cannot fail. This applies to all writes below.
    let _infallible = write!(line, r#"{{"marker":{},"thread":{},"name":"#, thread.global(local).0, id.0);
    write_json_string(line, profile.strings.get(markers.name(local)));
    line.push_str(r#","category":"#);
    write_json_string(line, category);
    let end = (!markers.is_instant(local)).then(|| markers.end(local).0);
    let _infallible = write!(
        line,
        r#","start_ns":{},"end_ns":{},"incomplete":{},"data":"#,
        markers.start(local).0,
        OrNull(end),
        markers.flags(local).has(MarkerFlags::INCOMPLETE),
    );
    profile.payload_resolved(id, local).to_json(line);
    let taken = thread.samples.as_ref().and_then(|samples| samples.marker_stacks.get(local));
    if let Some((own, time)) = taken {
        line.push_str(r#","stack":"#);
        write_stack(line, profile, own);
        let _infallible = write!(line, r#","stack_ns":{}"#, OrNull(time.map(|time| time.0)));
    } else if let Some(trace) = stacks.of(id, local) {
        let time = if trace.at_end { markers.end(local) } else { markers.start(local) };
        write_event_stack(line, &trace);
        let _infallible = write!(line, r#","stack_ns":{}"#, time.0);
    }
    if profile.meta.capabilities.trace_event_keys {
        line.push_str(r#","cat":"#);
        write_json_string(line, category);
        let _infallible = write!(line, r#","track":"{}""#, thread.kind.name());
        if let Some(depth) = depth {
            let _infallible = write!(line, r#","depth":{depth}"#);
        }
        if thread.kind == TrackKind::Async {
            let [begin, end] = thread.event_threads_of(local).map(|thread| OrNull(thread.map(|thread| thread.0)));
            let _infallible = write!(line, r#","began_on":{begin},"ended_on":{end}"#);
        }
    }
    line.push('}');
}

/// Appends the stack of a trace event, callee first. Its frames have a name, and a category or a location.
fn write_event_stack(line: &mut String, trace: &StackTrace) {
    line.push_str(r#","stack":["#);
    for (at, frame) in trace.frames.iter().enumerate() {
        line.push_str(if at > 0 { r#",{"name":"# } else { r#"{"name":"# });
        write_json_string(line, &frame.name);
        line.push_str(r#","file":"#);
        if frame.place.is_empty() {
            line.push_str("null");
        } else {
            write_json_string(line, &frame.place);
        }
        line.push_str(r#","line":null,"column":null}"#);
    }
    line.push(']');
}

/// A number, or `null`.
struct OrNull<T>(Option<T>);

impl<T: Display> Display for OrNull<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("null"),
        }
    }
}

/// Appends the frames of a stack, callee first.
pub fn write_stack(line: &mut String, profile: &Profile, own: StackId) {
    line.push('[');
    for (place, stack) in profile.stacks.walk(own).enumerate() {
        if place > 0 {
            line.push(',');
        }
        write_frame(line, profile, profile.stacks.frame(stack));
    }
    line.push(']');
}

fn write_frame(line: &mut String, profile: &Profile, frame: &Frame) {
    let tables = &profile.stacks;
    let name = match tables.name(frame.func) {
        "" => ANONYMOUS,
        name => name,
    };
    let func = &tables.funcs[frame.func.index()];
    // Line and column are independent: the position in the function, else the start of the function.
    let place = |own: u32, start: u32| OrNull([own, start].into_iter().find(|number| *number != NONE));
    line.push_str(r#"{"name":"#);
    write_json_string(line, name);
    line.push_str(r#","file":"#);
    match file(profile, frame.func) {
        Some(file) => write_json_string(line, file),
        None => line.push_str("null"),
    }
    let (row, column) = (place(frame.line, func.line), place(frame.column, func.column));
    let _infallible = write!(line, r#","line":{row},"column":{column}}}"#);
}

/// The script of a function, else its library or site.
fn file(profile: &Profile, func: FuncId) -> Option<&str> {
    let tables = &profile.stacks;
    let script = Some(tables.file(func)).filter(|file| !file.is_empty());
    script.or_else(|| tables.resource(func).map(|(_, name)| name))
}
