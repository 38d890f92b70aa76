//! References from the payload of a marker: to the threads that it names, and to the flow of its network request.

use crate::Index;
use crate::waits::{is_runnable, request_flows, runnable_behind};
use flowline_profile::text::Format;
use flowline_profile::{
    CPUS_PID, FlowId, LocalMarker, MarkerId, Profile, THREAD_STATE_SUFFIX, Thread, ThreadId, TrackKind, Value,
    split_machine,
};

/// The object that a payload refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceTarget {
    /// A thread or the track of a CPU.
    Thread(ThreadId),
    /// A flow.
    Flow(FlowId),
}

/// A reference from the payload of a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// How the marker is related to the target, such as "Woken by".
    pub relation: String,
    /// Nanoseconds of the relation, if it lasted.
    pub ns: Option<i64>,
    /// The target.
    pub target: ReferenceTarget,
}

/// Maximum number of blockers of a runnable thread that are named.
const MAX_BLOCKERS: usize = 3;

/// A member of the arguments of scheduling slices that names a thread.
struct ThreadMember {
    category: &'static str,
    key: &'static str,
    /// Member with the process of the thread.
    pid_key: Option<&'static str>,
    /// True if the number is that of a CPU.
    is_cpu: bool,
    relation: &'static str,
}

/// Arguments of the slices that are derived from the events of the Linux scheduler.
const THREAD_MEMBERS: [ThreadMember; 3] = [
    ThreadMember { category: "sched", key: "tid", pid_key: Some("pid"), is_cpu: false, relation: "Ran" },
    ThreadMember { category: "thread state", key: "waker_tid", pid_key: None, is_cpu: false, relation: "Woken by" },
    ThreadMember { category: "thread state", key: "cpu", pid_key: None, is_cpu: true, relation: "On" },
];

/// The references of a marker, each target once. With `with_requests`, they include the threads that a runnable thread
/// waited for, and the flows of its network request, for which the intervals of its thread are arranged on first use; this
/// may take long.
#[must_use]
pub fn references(index: &Index, marker: MarkerId, with_requests: bool) -> Vec<Reference> {
    let profile = index.profile();
    let Some((thread, local)) = profile.locate(marker) else { return Vec::new() };
    let mut found = thread_references(profile, thread, local);
    if with_requests {
        found.extend(cpu_blockers(index, marker));
    }
    if with_requests && has_request(profile, marker) {
        let url = profile.payload(thread, local).get("URI").map(Value::display_js).unwrap_or_default();
        let flows = request_flows(index, marker, &url);
        let flow =
            |flow| Reference { relation: "Request of".to_owned(), ns: None, target: ReferenceTarget::Flow(flow) };
        found.extend(flows.into_iter().map(flow));
    }
    let mut seen = Vec::new();
    found.retain(|reference| {
        let is_new = !seen.contains(&reference.target);
        seen.push(reference.target);
        is_new
    });
    found
}

/// The threads that ran on the CPU for which a runnable thread waited, longest first.
fn cpu_blockers(index: &Index, marker: MarkerId) -> Vec<Reference> {
    let profile = index.profile();
    let Some(activity) = runnable_behind(index, marker) else { return Vec::new() };
    let cpu = activity.cpu.map_or_else(String::new, |cpu| format!(" on CPU {cpu}"));
    let blockers = activity.blockers.iter().filter_map(|blocker| {
        let (cpu_track, local) = profile.locate(blocker.longest)?;
        let payload = profile.payload(cpu_track, local);
        let text = |key: &str| payload.get(key).filter(|value| !value.is_nested()).map(Value::display_js);
        let id = ThreadName { tid: text("tid")?, pid: text("pid"), is_cpu: false };
        let target = ReferenceTarget::Thread(id.find(profile, cpu_track)?);
        Some(Reference { relation: format!("Runnable{cpu} behind"), ns: Some(blocker.ns), target })
    });
    blockers.take(MAX_BLOCKERS).collect()
}

/// True if a marker may have references that take long to find: those that [`references`] finds only on request.
#[must_use]
pub fn has_slow_references(profile: &Profile, marker: MarkerId) -> bool {
    has_request(profile, marker) || is_runnable(profile, marker)
}

/// True if a marker is a network request of a Firefox profile. Requests of traces are joined from events, which are
/// members of flows themselves.
#[must_use]
pub fn has_request(profile: &Profile, marker: MarkerId) -> bool {
    let Some((thread, local)) = profile.locate(marker).filter(|_| !profile.source.holds_events()) else { return false };
    let network = profile.strings.find("Network").and_then(|name| profile.types.find(name));
    network.is_some() && profile.thread(thread).markers.kind(local) == network
}

fn thread_references(profile: &Profile, thread: ThreadId, local: LocalMarker) -> Vec<Reference> {
    let category = profile.category_name(profile.thread(thread).markers.category(local));
    let members = THREAD_MEMBERS.iter().filter(|member| member.category == category && profile.source.holds_events());
    let schema = profile.schema_of(thread, local);
    let fields = schema.into_iter().flat_map(|schema| &schema.fields).filter(|field| field.format == Format::Tid);
    let (mut members, mut fields) = (members.peekable(), fields.peekable());
    if members.peek().is_none() && fields.peek().is_none() {
        return Vec::new();
    }
    let payload = profile.payload(thread, local);
    let text = |key: &str| {
        let value = payload.get(key).filter(|value| !value.is_null() && !value.is_nested())?;
        Some(value.display_js())
    };
    let member = |member: &ThreadMember| {
        let id = ThreadName { tid: text(member.key)?, pid: member.pid_key.and_then(text), is_cpu: member.is_cpu };
        Some((member.relation.to_owned(), id.find(profile, thread)?))
    };
    let field = |field: &flowline_profile::Field| {
        let id = ThreadName { tid: text(&field.key)?, pid: None, is_cpu: false };
        let relation = if field.label.is_empty() { &field.key } else { &field.label };
        Some((relation.clone(), id.find(profile, thread)?))
    };
    let found = members.filter_map(member).chain(fields.filter_map(field));
    found.map(|(relation, to)| Reference { relation, ns: None, target: ReferenceTarget::Thread(to) }).collect()
}

/// The ids of a thread as written in a payload.
struct ThreadName {
    tid: String,
    pid: Option<String>,
    is_cpu: bool,
}

impl ThreadName {
    /// The thread with these ids, except `from`. Threads of the stated process or, without one, of the process of
    /// `from` take precedence. A thread of which only states are recorded is represented by the track with them.
    fn find(&self, profile: &Profile, from: ThreadId) -> Option<ThreadId> {
        let own = &profile.process_of(from).pid;
        // Arguments state ids on the machine of the thread.
        let (machine, own) = split_machine(own);
        let pid = self.pid.as_deref().unwrap_or(own);
        let rank = |(id, thread): &(ThreadId, &Thread)| {
            let (of_machine, process) = split_machine(&profile.process_of(*id).pid);
            let is_states = thread.tid.strip_suffix(THREAD_STATE_SUFFIX) == Some(self.tid.as_str());
            let is_it = if self.is_cpu {
                process == CPUS_PID && thread.tid == self.tid.as_str()
            } else {
                is_states || (process != CPUS_PID && thread.tid == self.tid.as_str())
            };
            let is_thread = thread.kind == TrackKind::Thread && *id != from && of_machine == machine;
            (is_it && is_thread).then_some(((is_states, process != pid), *id))
        };
        let found = profile.threads_with_ids().filter_map(|thread| rank(&thread)).min_by_key(|(rank, _)| *rank)?;
        Some(found.1)
    }
}
