//! Style and layout that scripts force.
//!
//! A slice of style or layout inside a slice of a script is forced if those inside the outermost slice around it last
//! 30 ms or more together. Slices of other threads never count.

use std::cmp::Reverse;

use flowline_profile::{LocalMarker, MarkerFlags, Ns, Profile, StringId, ThreadId, TimeRange};

/// Names of style and layout.
const LAYOUT: [&str; 3] = ["Layout", "UpdateLayoutTree", "RecalculateStyles"];
/// Names of slices of scripts, besides those that begin with `v8` or `V8`.
const SCRIPTS: [&str; 4] = ["RunMicrotasks", "FunctionCall", "EvaluateScript", "EventDispatch"];
/// Style and layout of a task is forced from this sum on.
const LEAST: Ns = Ns(30_000_000);

/// The role of the slices with some attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    None,
    Layout,
    Script,
    Other,
}

/// An open slice.
struct Open {
    end: Ns,
    /// True for slices of scripts and those inside.
    is_in_script: bool,
}

/// Style and layout of a thread that scripts force, by start. The payloads stay unread.
pub(crate) fn forced_of(profile: &Profile, id: ThreadId) -> Vec<LocalMarker> {
    let thread = profile.thread(id);
    let attributes = thread.markers.attributes();
    let roles: Vec<Role> = attributes.items().iter().map(|own| role(profile, own.name, own.flags)).collect();
    let has = |wanted: Role| roles.contains(&wanted);
    if !profile.source.holds_events() || !has(Role::Layout) || !has(Role::Script) {
        return Vec::new();
    }
    let mut sweep = Sweep::default();
    let mut at_once: Vec<(TimeRange, LocalMarker, Role)> = Vec::new();
    for ((number, times), attribute) in thread.markers.times().ranges().enumerate().zip(attributes.numbers()) {
        let role = roles[attribute];
        if role == Role::None || times.len() <= 0 {
            continue;
        }
        if at_once.first().is_some_and(|(first, ..)| first.start != times.start) {
            sweep.add(&mut at_once);
        }
        at_once.push((times, LocalMarker::new(number), role));
    }
    sweep.add(&mut at_once);
    sweep.end_task();
    sweep.found
}

/// A sweep over the slices of a thread.
#[derive(Default)]
struct Sweep {
    /// The open slices, the outermost first.
    open: Vec<Open>,
    /// Style and layout inside scripts of the current task, and their time.
    of_task: Vec<LocalMarker>,
    sum: i64,
    found: Vec<LocalMarker>,
}

impl Sweep {
    /// Adds slices that begin at the same time, of which the longer ones contain the others.
    fn add(&mut self, at_once: &mut Vec<(TimeRange, LocalMarker, Role)>) {
        at_once.sort_by_key(|(times, ..)| Reverse(times.end));
        for (times, marker, role) in at_once.drain(..) {
            while self.open.pop_if(|last| last.end <= times.start).is_some() {}
            if self.open.is_empty() {
                self.end_task();
            }
            let is_in_script = self.open.last().is_some_and(|last| last.is_in_script);
            if role == Role::Layout && is_in_script {
                self.of_task.push(marker);
                self.sum = self.sum.saturating_add(times.len());
            }
            self.open.push(Open { end: times.end, is_in_script: is_in_script || role == Role::Script });
        }
    }

    fn end_task(&mut self) {
        if std::mem::take(&mut self.sum) >= LEAST.0 {
            self.found.append(&mut self.of_task);
        }
        self.of_task.clear();
    }
}

fn role(profile: &Profile, name: StringId, flags: MarkerFlags) -> Role {
    // The end of an incomplete slice is unknown.
    if !flags.has(MarkerFlags::STACK_BASED) || flags.has(MarkerFlags::INCOMPLETE) {
        return Role::None;
    }
    match profile.strings.get(name) {
        name if LAYOUT.contains(&name) => Role::Layout,
        name if SCRIPTS.contains(&name) || name.starts_with("v8") || name.starts_with("V8") => Role::Script,
        _ => Role::Other,
    }
}
