//! Titles of calls: the function that ran and its place, `reflow, app.js:14`.
//!
//! Chrome states calls as events that are named after the code that wrote them (`FunctionCall`, `TimerFire`). Their titles
//! name the function, in the words of Chrome DevTools: `Timer fired: tick, app.js:9`, `click: onClick, app.js:20`. An event
//! that only surrounds calls is titled with the longest call directly inside.
//!
//! A title reads the arguments of at most two events, and a bounded number of names.

use std::borrow::Cow;

use super::url::short_name;
use crate::payload::decode;
use crate::samples::ANONYMOUS;
use crate::{FuncId, LocalMarker, Profile, StringId, Thread, ThreadId};
use flowline_format::{Ns, TimeRange};
use flowline_json::Value;

/// The event that states a call.
const CALL: &str = "FunctionCall";
/// At most this many markers are visited to find the calls inside an event.
const MAX_VISITED: usize = 256;
/// Start of the name of a script's own code, before its address.
const ROOT_SCOPE: &str = "(root scope)";

/// How events are titled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As the function that they state.
    Function,
    /// As the function that a call inside states.
    Inside,
    /// With words before the script that they state.
    Script(&'static str),
    /// With words before the function that a call inside states.
    Callback(&'static str),
    /// With the type of the dispatched event before the function that a call inside states.
    Dispatch,
}

/// The events that run code of a page. Words are those of Chrome DevTools.
const EVENTS: [(&str, Form); 17] = [
    (CALL, Form::Function),
    ("v8.callFunction", Form::Inside),
    ("EvaluateScript", Form::Script("Evaluate script")),
    ("v8.evaluateModule", Form::Script("Evaluate module")),
    ("v8.compile", Form::Script("Compile script")),
    ("v8.compileModule", Form::Script("Compile module")),
    ("TimerFire", Form::Callback("Timer fired")),
    ("FireAnimationFrame", Form::Callback("Animation frame fired")),
    ("FireIdleCallback", Form::Callback("Idle callback fired")),
    ("RunPostTaskCallback", Form::Callback("Post task callback fired")),
    ("RunMicrotasks", Form::Callback("Run microtasks")),
    ("XHRReadyStateChange", Form::Callback("XHR ready state change")),
    ("XHRLoad", Form::Callback("XHR load")),
    ("HandlePostMessage", Form::Callback("Handle message")),
    ("WebSocketReceive", Form::Callback("WebSocket receive")),
    ("V8Console::runTask", Form::Callback("Run console task")),
    ("EventDispatch", Form::Dispatch),
];

/// A function or script that an event states.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalledFunction {
    /// Its name; empty for a script, and if it is not recorded.
    pub name: String,
    /// The address of its script; empty if it is unknown.
    pub url: String,
    /// Its line, counted from 1. Unknown for scripts that are whole files.
    pub line: Option<u32>,
}

impl CalledFunction {
    /// Name and place: "reflow, app.js:14".
    #[must_use]
    pub fn title(&self) -> String {
        let file = file_name(&self.url);
        match (self.name.as_str(), file, self.line) {
            (name, "", _) => name.to_owned(),
            ("", file, None) => file.to_owned(),
            ("", file, Some(line)) => format!("{file}:{line}"),
            (name, file, None) => format!("{name}, {file}"),
            (name, file, Some(line)) => format!("{name}, {file}:{line}"),
        }
    }

    /// The function that the arguments of a call state.
    fn of_call(data: &Value) -> Option<Self> {
        let text = |key: &str| data.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        // Old versions of Chrome state script and line only.
        let url = text("url").or_else(|| text("scriptName")).unwrap_or_default().to_owned();
        let line = ["lineNumber", "scriptLine"].iter().find_map(|key| line_of(data, key));
        let stated = data.get("functionName").and_then(Value::as_str);
        let name = match stated {
            Some("") if !url.is_empty() => ANONYMOUS,
            stated => stated.unwrap_or_default(),
        };
        let own = Self { name: name.to_owned(), url, line };
        (!own.name.is_empty() || !own.url.is_empty()).then_some(own)
    }

    /// The script that the arguments of an event state.
    fn of_script(args: &Value) -> Option<Self> {
        let data = args.get("data");
        let url = data.and_then(|data| data.get("url")).or_else(|| args.get("fileName")).and_then(Value::as_str);
        let url = url.filter(|url| !url.is_empty())?.to_owned();
        // The first line is the begin of a file; others tell the scripts of a document apart.
        let line = data.and_then(|data| line_of(data, "lineNumber")).filter(|line| *line > 1);
        Some(Self { name: String::new(), url, line })
    }
}

fn line_of(data: &Value, key: &str) -> Option<u32> {
    data.get(key).and_then(Value::as_i64).and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0)
}

/// The last part of the address or path of a file.
fn file_name(file: &str) -> &str {
    // A file of a repository: `hg:host/repository:path:revision`.
    let repository = ["hg:", "git:", "s3:"].iter().find_map(|start| file.strip_prefix(start));
    let path = repository.and_then(|rest| rest.split(':').nth(1)).unwrap_or(file);
    let name = short_name(path);
    name.rsplit('\\').next().unwrap_or(name)
}

impl Profile {
    /// True if events with a name run code of a page, so that their titles name it.
    #[must_use]
    pub fn is_call_name(&self, name: StringId) -> bool {
        self.source.holds_events() && form_of(self.strings.get(name)).is_some()
    }

    /// The title of a call: the function or script that an event ran. `None` for other markers, and if it is not recorded.
    #[must_use]
    pub fn call_title(&self, thread: ThreadId, marker: LocalMarker) -> Option<String> {
        let form = self.form(thread, marker)?;
        let called = || self.called_in(thread, marker, form);
        match form {
            Form::Function | Form::Inside => Some(called()?.title()),
            Form::Script(words) | Form::Callback(words) => Some(format!("{words}: {}", called()?.title())),
            Form::Dispatch => {
                let args = args_of(self, self.thread(thread), marker);
                let kind = args.get("data")?.get("type")?.as_str().filter(|kind| !kind.is_empty())?;
                Some(called().map_or_else(|| format!("Event: {kind}"), |called| format!("{kind}: {}", called.title())))
            }
        }
    }

    /// The function or script that an event ran.
    #[must_use]
    pub fn called_function(&self, thread: ThreadId, marker: LocalMarker) -> Option<CalledFunction> {
        self.called_in(thread, marker, self.form(thread, marker)?)
    }

    /// The title of a marker in lists: that of its call, or else its name.
    #[must_use]
    pub fn marker_title(&self, thread: ThreadId, marker: LocalMarker) -> Cow<'_, str> {
        self.call_title(thread, marker).map_or_else(|| Cow::Borrowed(self.marker_name(thread, marker)), Cow::Owned)
    }

    /// Name and place of a function: "reflow, app.js:14"; only its name if its file is unknown.
    #[must_use]
    pub fn func_title(&self, func: FuncId) -> String {
        let url = self.stacks.file(func);
        let own = &self.stacks.funcs[func.index()];
        let name = match self.func_name(func) {
            name if url.is_empty() => name,
            // Importers name script functions without a name by their script.
            name if name.starts_with(ROOT_SCOPE) => ROOT_SCOPE,
            name if name.contains("://") && !name.contains(' ') => ANONYMOUS,
            name => name,
        };
        let line = self.shown_place(own.line, own.column).map(|(line, _)| line).filter(|line| *line > 0);
        CalledFunction { name: name.to_owned(), url: url.to_owned(), line }.title()
    }

    fn form(&self, thread: ThreadId, marker: LocalMarker) -> Option<Form> {
        self.source.holds_events().then(|| form_of(self.marker_name(thread, marker))).flatten()
    }

    fn called_in(&self, id: ThreadId, marker: LocalMarker, form: Form) -> Option<CalledFunction> {
        let thread = self.thread(id);
        match form {
            Form::Function => CalledFunction::of_call(args_of(self, thread, marker).get("data")?),
            Form::Script(_) => CalledFunction::of_script(&args_of(self, thread, marker)),
            Form::Inside | Form::Callback(_) | Form::Dispatch => {
                let call = longest_call_in(thread, marker, self.strings.find(CALL)?)?;
                CalledFunction::of_call(args_of(self, thread, call).get("data")?)
            }
        }
    }
}

fn form_of(name: &str) -> Option<Form> {
    EVENTS.iter().find(|(known, _)| *known == name).map(|(_, form)| *form)
}

/// The arguments of an event; those of its begin, if its end is an event of its own.
fn args_of(profile: &Profile, thread: &Thread, marker: LocalMarker) -> Value {
    let markers = &thread.markers;
    decode(&profile.source, markers.begin(marker).unwrap_or(markers.payload(marker)))
}

/// The longest of the calls in an event that no other call contains; the first one of equally long ones.
fn longest_call_in(thread: &Thread, event: LocalMarker, call: StringId) -> Option<LocalMarker> {
    let times = thread.markers.times();
    let around = thread.markers.range(event);
    let is_inside = |own: TimeRange| own.start >= around.start && own.end <= around.end;
    let mut next = times.partition_point(|start| start < around.start);
    let mut longest: Option<(i64, LocalMarker)> = None;
    for _ in 0..MAX_VISITED {
        if next >= thread.markers.len() || times.start(next) >= around.end {
            break;
        }
        let (marker, own) = (LocalMarker::new(next), times.range(next));
        next += 1;
        if thread.markers.name(marker) != call || marker == event || !is_inside(own) || own.is_empty() {
            continue;
        }
        if longest.is_none_or(|(length, _)| own.len() > length) {
            longest = Some((own.len(), marker));
        }
        next = next.max(times.partition_point(|start: Ns| start < own.end));
    }
    longest.map(|(_, marker)| marker)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(members: &[(&str, Value)]) -> Value {
        Value::Object(members.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
    }

    fn text(text: &str) -> Value {
        Value::String(text.to_owned())
    }

    #[test]
    fn functions_are_named_with_file_and_line() {
        let title = |name: &str, url: &str, line| CalledFunction { name: name.into(), url: url.into(), line }.title();
        assert_eq!(title("reflow", "https://a.test/js/app.js?v=2", Some(14)), "reflow, app.js:14");
        assert_eq!(title("reflow", "", Some(14)), "reflow");
        assert_eq!(title("", "https://a.test/", Some(3)), "a.test:3");
        assert_eq!(title("f", "/usr/src/x.cpp", None), "f, x.cpp");
        assert_eq!(title("f", "hg:hg.mozilla.org/mozilla-central:dom/base/Node.cpp:1f2e", Some(7)), "f, Node.cpp:7");
        assert_eq!(title("f", "C:\\work\\run.py", Some(7)), "f, run.py:7");
    }

    #[test]
    fn calls_of_all_versions_are_read() {
        let of = |members: &[(&str, Value)]| CalledFunction::of_call(&object(members)).map(|own| own.title());
        let place = [("url", text("http://a.test/app.js")), ("lineNumber", Value::Int(9))];
        let named = |name: &str| [&place[..], &[("functionName", text(name))]].concat();
        assert_eq!(of(&named("tick")).as_deref(), Some("tick, app.js:9"));
        assert_eq!(of(&named("")).as_deref(), Some("(anonymous), app.js:9"));
        let old = [("scriptName", text("http://a.test/old.js")), ("scriptLine", Value::Int(682))];
        assert_eq!(of(&old).as_deref(), Some("old.js:682"));
        assert_eq!(of(&[("functionName", text("native"))]).as_deref(), Some("native"));
        assert_eq!(of(&[("functionName", text(""))]), None);
        assert_eq!(
            of(&[("url", text("http://a.test/app.js")), ("lineNumber", Value::Int(-1))]).as_deref(),
            Some("app.js")
        );
    }
}
