//! Paths to moments that the marker's own work did not complete: milestones, the events of a page load, ends of requests,
//! and paints after inputs. None of them follows the task that ran at the time of a marker that was written later.

use super::content_frame::tick_of;
use super::interaction::InputTimes;
use super::milestones::{Completion, frame_after, frame_before, last_request, ready, task_at};
use super::page_load::{Delivery, PageLoad};
use super::path_finder::Finder;
use super::path_segment::PathKind;
use crate::flows::{end_of, start_of};
use flowline_profile::{MarkerId, ThreadId};

/// Follows a marker: the event that completed it, then back to its start, or to the start of its page load. Time that
/// nothing recorded explains is unknown.
pub(super) fn complete(finder: &mut Finder<'_>, marker: MarkerId, completion: Completion) {
    let profile = finder.index.profile();
    let Some((thread, _)) = profile.locate(marker) else { return };
    match completion {
        Completion::Load => load_of_firefox(finder, marker),
        Completion::Frame if profile.source.holds_events() => paint_of_chrome(finder, marker, thread),
        Completion::Frame => paint_of_firefox(finder, marker, thread),
        Completion::Fired | Completion::Parsed => event(finder, marker, completion),
        Completion::Paint => interaction(finder, marker),
        Completion::Delivered => delivered(finder, marker),
        Completion::Content => content(finder, marker),
        Completion::Unknown => {}
    }
    let start = start_of(finder.index.profile(), marker);
    if finder.time > start {
        finder.drop_end();
        finder.push(start, PathKind::Unknown, marker);
    } else if finder.backwards.is_empty() {
        finder.end(marker);
    }
}

/// The task that fired the event, before it the last request of the page and what sent it, and the document.
fn load_of_firefox(finder: &mut Finder<'_>, milestone: MarkerId) {
    let task = task_at(finder.index, &finder.milestones, milestone, finder.time);
    task.into_iter().for_each(|task| finder.follow(task));
    if let Some(request) = last_request(finder.index, milestone, finder.time) {
        finder.drop_end();
        let posted = end_of(finder.index.profile(), request);
        match finder.backwards.last().map(|earliest| earliest.marker) {
            Some(task) => finder.push(posted, PathKind::Wait, task),
            None => finder.push(posted, PathKind::Unknown, milestone),
        }
        finder.follow(request);
    }
    document_of_firefox(finder, milestone);
}

/// The frame that a milestone waited for. It waits for the compositor and the display, not for the thread.
fn frame(finder: &mut Finder<'_>, milestone: MarkerId, thread: ThreadId) {
    if let Some(frame) = frame_before(finder.index, thread, finder.time) {
        finder.push_request(ready(finder.index, frame, finder.time), PathKind::Wait, milestone);
        finder.follow(frame);
    }
}

/// The frame itself, the way of its content to the screen, and the tick that made the content.
fn content(finder: &mut Finder<'_>, composite: MarkerId) {
    let Some(tick) = tick_of(finder.index, composite) else { return finder.follow(composite) };
    finder.run(composite, start_of(finder.index.profile(), composite));
    finder.push_request(ready(finder.index, tick, finder.time), PathKind::Wait, composite);
    finder.follow(tick);
}

/// The frame, then the request that the paint waited for, and what asked for that.
fn paint_of_chrome(finder: &mut Finder<'_>, milestone: MarkerId, thread: ThreadId) {
    frame(finder, milestone, thread);
    let Some(load) = PageLoad::of(finder.index, milestone) else { return };
    let last = load.before_paint(milestone, finder.time);
    page_load(finder, &load, milestone, last);
}

/// The frame, then the document, without which nothing is painted. Profiles do not tell which other requests delayed a
/// paint.
fn paint_of_firefox(finder: &mut Finder<'_>, milestone: MarkerId, thread: ThreadId) {
    frame(finder, milestone, thread);
    document_of_firefox(finder, milestone);
}

/// The document of a milestone's page, if its first byte arrived before the current time.
fn document_of_firefox(finder: &mut Finder<'_>, milestone: MarkerId) {
    let Some(document) = PageLoad::document_of_window(finder.index, milestone, finder.time) else { return };
    finder.drop_end();
    finder.push(document.time, PathKind::Unknown, milestone);
    request(finder, document);
}

/// The task that wrote an event of a page load, then the last request that it waited for. A request that ended while
/// that task already ran ended in it.
fn event(finder: &mut Finder<'_>, marker: MarkerId, completion: Completion) {
    let load = PageLoad::of(finder.index, marker);
    let last = load.as_ref().and_then(|load| match completion {
        Completion::Fired => load.before_load(finder.time),
        _ => load.before_parsed(finder.time),
    });
    task(finder, marker, last, true);
    if let Some(load) = load {
        page_load(finder, &load, marker, last);
    }
}

/// Adds the task around a marker, from what it handled if that arrived while it already ran. If its own cause is wanted,
/// the path follows it.
fn task(finder: &mut Finder<'_>, marker: MarkerId, content: Option<Delivery>, is_followed: bool) {
    let task = finder.task_of(marker);
    let start = start_of(finder.index.profile(), task);
    match content {
        Some(content) if content.time > start => finder.run(task, content.time),
        Some(_) if !is_followed => finder.run(task, start),
        _ => finder.follow(marker),
    }
}

/// Follows requests back to the document: each waited for the task that sent it, and that task for the request whose
/// content it handled.
fn page_load(finder: &mut Finder<'_>, load: &PageLoad<'_>, marker: MarkerId, last: Option<Delivery>) {
    let mut next = last.filter(|last| last.time <= finder.time);
    let mut visited = Vec::new();
    while let Some(last) = next.filter(|last| !visited.contains(&last.request)) {
        visited.push(last.request);
        finder.drop_end();
        let waiting = finder.backwards.last().map_or(marker, |earliest| earliest.marker);
        finder.push(last.time, PathKind::Wait, waiting);
        let Some(sent) = request(finder, last) else { break };
        if load.is_document(last.request) || finder.is_full() {
            break;
        }
        let asked = load.initiator_of(last.request, finder.time);
        task(finder, sent, asked.map(|asked| asked.content), asked.is_none_or(|asked| asked.is_script));
        next = asked.map(|asked| asked.content).filter(|content| content.time <= finder.time);
    }
    if finder.time > load.start {
        finder.drop_end();
        finder.push(load.start, PathKind::Unknown, load.navigation);
    }
}

/// Adds the phases of a request up to the current time, and returns the marker at which it was sent.
fn request(finder: &mut Finder<'_>, delivery: Delivery) -> Option<MarkerId> {
    let request = finder.index.network().get(delivery.request)?;
    finder.push_request_phases(request.start, delivery.request, request.marker);
    Some(request.marker)
}

/// The request that ended, and what asked for it.
fn delivered(finder: &mut Finder<'_>, marker: MarkerId) {
    let network = finder.index.network();
    let own = network.request_of(marker).and_then(|id| Some((id, network.get(id)?)));
    let Some((id, sent)) = own.filter(|_| finder.index.profile().source.holds_events()) else {
        return finder.follow(marker);
    };
    let last = Delivery { time: finder.time, request: id };
    match PageLoad::of(finder.index, sent.marker) {
        Some(load) => page_load(finder, &load, marker, Some(last)),
        // Without a navigation, the path goes on with the task that sent the request.
        None => {
            if let Some(sent) = request(finder, last) {
                finder.follow(sent);
            }
        }
    }
}

/// The frame that showed the result of an input, its handlers, and the wait for them.
fn interaction(finder: &mut Finder<'_>, marker: MarkerId) {
    let Some(input) = InputTimes::of(finder.index, marker) else { return finder.follow(marker) };
    let profile = finder.index.profile();
    let handled = input.handled.end.min(finder.time);
    let frame = frame_after(finder.index, input.thread, handled, finder.time);
    let frame = frame.map(|frame| (frame, ready(finder.index, frame, finder.time)));
    match frame.filter(|(_, ready)| *ready > handled) {
        Some((frame, ready)) => {
            finder.push_request(ready, PathKind::Wait, marker);
            let task = finder.task_of(frame);
            finder.run(task, start_of(profile, task).max(handled));
            finder.push(handled, PathKind::Wait, task);
        }
        None => finder.push(handled, PathKind::Unknown, marker),
    }
    finder.run_thread(input.thread, input.handled.start, (PathKind::Wait, marker));
    let is_own = |marker: MarkerId| profile.locate(marker).is_some_and(|(thread, _)| thread == input.thread);
    let first = finder.backwards.last().map(|earliest| earliest.marker).filter(|earliest| is_own(*earliest));
    finder.push(input.start, PathKind::Wait, first.unwrap_or(marker));
}
