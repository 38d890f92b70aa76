//! Initiators of page events: the timer installation, the scheduled style recalculation, the posted message. Chrome
//! writes no flow events for these; identifiers in the data of both events connect them. The same holds for kernels and
//! copies of a GPU and the calls that launched them, in traces of PyTorch without flow events.
//!
//! The rules for pages are those of Chrome DevTools, which draws initiators as arrows. Events are read on first use: only
//! events with the names or categories below are decoded, on all cores.

use std::cmp::Reverse;
use std::collections::HashMap;

use rayon::prelude::*;

use flowline_profile::{LocalMarker, MarkerId, Ns, Profile, StringId, Thread, ThreadId, Value};

/// The role of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum EventRole {
    /// A style recalculation of a frame is scheduled.
    StyleScheduled,
    /// The styles of a frame are computed.
    StyleComputed,
    /// The layout of a frame is invalidated.
    LayoutInvalidated,
    /// The layout of a frame is computed.
    LaidOut,
    /// An operation with an identifier is requested.
    Requested(Subject),
    /// The requested operation happens.
    Happens(Subject),
}

/// Kinds of operations with an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Timer,
    IdleCallback,
    AnimationFrame,
    WebSocket,
    Task,
    Message,
    /// Work of a GPU.
    Launch,
}

impl Subject {
    /// The data key of the identifier.
    const fn key(self) -> &'static str {
        match self {
            Self::Timer => "timerId",
            Self::IdleCallback | Self::AnimationFrame => "id",
            Self::WebSocket => "identifier",
            Self::Task => "taskId",
            Self::Message => "traceId",
            Self::Launch => "correlation",
        }
    }
}

/// Event names and the role of each event.
const EVENTS: [(&str, EventRole); 21] = [
    ("ScheduleStyleRecalculation", EventRole::StyleScheduled),
    ("UpdateLayoutTree", EventRole::StyleComputed),
    ("InvalidateLayout", EventRole::LayoutInvalidated),
    ("Layout", EventRole::LaidOut),
    ("TimerInstall", EventRole::Requested(Subject::Timer)),
    ("TimerFire", EventRole::Happens(Subject::Timer)),
    ("RequestIdleCallback", EventRole::Requested(Subject::IdleCallback)),
    ("FireIdleCallback", EventRole::Happens(Subject::IdleCallback)),
    ("RequestAnimationFrame", EventRole::Requested(Subject::AnimationFrame)),
    ("FireAnimationFrame", EventRole::Happens(Subject::AnimationFrame)),
    ("WebSocketCreate", EventRole::Requested(Subject::WebSocket)),
    ("WebSocketSendHandshakeRequest", EventRole::Happens(Subject::WebSocket)),
    ("WebSocketReceiveHandshakeResponse", EventRole::Happens(Subject::WebSocket)),
    ("WebSocketSend", EventRole::Happens(Subject::WebSocket)),
    ("WebSocketReceive", EventRole::Happens(Subject::WebSocket)),
    ("WebSocketDestroy", EventRole::Happens(Subject::WebSocket)),
    ("SchedulePostTaskCallback", EventRole::Requested(Subject::Task)),
    ("RunPostTaskCallback", EventRole::Happens(Subject::Task)),
    ("AbortPostTaskCallback", EventRole::Happens(Subject::Task)),
    ("SchedulePostMessage", EventRole::Requested(Subject::Message)),
    ("HandlePostMessage", EventRole::Happens(Subject::Message)),
];

/// Categories of PyTorch's events, in the spelling of all versions.
const GPU_CATEGORIES: [(&str, EventRole); 8] = [
    ("cuda_runtime", EventRole::Requested(Subject::Launch)),
    ("cuda_driver", EventRole::Requested(Subject::Launch)),
    ("Runtime", EventRole::Requested(Subject::Launch)),
    ("kernel", EventRole::Happens(Subject::Launch)),
    ("Kernel", EventRole::Happens(Subject::Launch)),
    ("gpu_memcpy", EventRole::Happens(Subject::Launch)),
    ("gpu_memset", EventRole::Happens(Subject::Launch)),
    ("Memcpy", EventRole::Happens(Subject::Launch)),
];
/// Name and category of the flow events from launches to kernels. With them, the flows state the connection.
const LAUNCH_FLOWS: &str = "ac2g";

/// The role of the events of each category.
fn roles_of_categories(profile: &Profile) -> Vec<Option<EventRole>> {
    if profile.strings.find(LAUNCH_FLOWS).is_some() {
        return Vec::new();
    }
    let role = |name: &str| GPU_CATEGORIES.iter().find(|(own, _)| *own == name).map(|(_, role)| *role);
    profile.categories.iter().map(|category| role(&category.name)).collect()
}

/// The key that connects two events: the scope of the identifier (a process, or a thread and a frame) and the
/// identifier.
type Id = (u32, String, String);

/// A decoded event.
struct Event {
    start: Ns,
    end: Ns,
    marker: MarkerId,
    step: EventRole,
    /// The frame, or the identifier with its scope.
    id: Id,
}

impl Event {
    fn read(
        profile: &Profile,
        (id, thread): (ThreadId, &Thread),
        marker: LocalMarker,
        step: EventRole,
    ) -> Option<Self> {
        let payload = profile.payload_in(thread, marker);
        let data = payload.get("data");
        let frame = |data: Option<&Value>| data.and_then(|data| data.get("frame")).map(Value::display_js);
        let own = |subject: Subject| match subject {
            Subject::Launch => payload.get(subject.key()).map(Value::display_js),
            _ => data?.get(subject.key()).map(Value::display_js),
        };
        let found = match step {
            EventRole::StyleScheduled | EventRole::LayoutInvalidated => (0, String::new(), frame(data)?),
            EventRole::StyleComputed | EventRole::LaidOut => {
                (0, String::new(), frame(payload.get("beginData").or(data))?)
            }
            EventRole::Requested(subject) | EventRole::Happens(subject) => match subject {
                // Messages cross processes, and a GPU is a process of its own.
                Subject::Message | Subject::Launch => (0, String::new(), own(subject)?),
                Subject::WebSocket | Subject::Task => (thread.process.0, String::new(), own(subject)?),
                // Each document and each worker numbers them from one.
                Subject::Timer | Subject::IdleCallback | Subject::AnimationFrame => {
                    (id.0, frame(data).unwrap_or_default(), own(subject)?)
                }
            },
        };
        let times = thread.markers.range(marker);
        let marker = profile.thread(id).global(marker);
        Some(Self { start: times.start, end: times.end, marker, step, id: found })
    }
}

/// The initiator relation between page events.
#[derive(Debug, Default)]
pub struct Initiators {
    of: HashMap<MarkerId, MarkerId>,
    led_to: HashMap<MarkerId, Vec<MarkerId>>,
}

impl Initiators {
    /// True if a recording has events with one of the relevant names.
    #[must_use]
    #[inline]
    pub fn may_exist(profile: &Profile) -> bool {
        profile.source.holds_events()
            && (EVENTS.iter().any(|(name, _)| profile.strings.find(name).is_some())
                || roles_of_categories(profile).contains(&Some(EventRole::Happens(Subject::Launch))))
    }

    /// Reads the events of a recording.
    pub(crate) fn build(profile: &Profile) -> Self {
        if !Self::may_exist(profile) {
            return Self::default();
        }
        let names: HashMap<StringId, EventRole> =
            EVENTS.iter().filter_map(|(name, step)| Some((profile.strings.find(name)?, *step))).collect();
        let by_category = roles_of_categories(profile);
        let threads: Vec<(ThreadId, &Thread)> = profile.threads_with_ids().collect();
        let of_thread = |(id, thread): &(ThreadId, &Thread)| -> Vec<Event> {
            let (id, thread) = (*id, *thread);
            let markers = (0..thread.markers.len()).into_par_iter().with_min_len(1 << 14).map(LocalMarker::new);
            let of_category = |marker| by_category.get(thread.markers.category(marker).index()).copied().flatten();
            let steps = markers.filter_map(|marker| {
                let role = names.get(&thread.markers.name(marker)).copied().or_else(|| of_category(marker))?;
                Some((marker, role))
            });
            steps.filter_map(|(marker, step)| Event::read(profile, (id, thread), marker, step)).collect()
        };
        let mut events: Vec<Event> = threads.par_iter().flat_map_iter(of_thread).collect();
        events.par_sort_unstable_by_key(|event| (event.start, Reverse(event.end), event.marker));
        let mut found = Self::default();
        found.walk(&events);
        found
    }

    /// Walks through events in time order.
    fn walk<'a>(&mut self, events: &'a [Event]) {
        let mut asked: HashMap<(Subject, &'a Id), MarkerId> = HashMap::new();
        let mut scheduled: HashMap<&'a Id, MarkerId> = HashMap::new();
        let mut computed: HashMap<&'a Id, &'a Event> = HashMap::new();
        let mut invalidated: HashMap<&'a Id, MarkerId> = HashMap::new();
        for event in events {
            let id = &event.id;
            match event.step {
                EventRole::Requested(subject) => drop(asked.insert((subject, id), event.marker)),
                EventRole::Happens(subject) => self.add(event, asked.get(&(subject, id)).copied()),
                EventRole::StyleScheduled => drop(scheduled.insert(id, event.marker)),
                EventRole::StyleComputed => {
                    computed.insert(id, event);
                    self.add(event, scheduled.get(id).copied());
                }
                EventRole::LayoutInvalidated => {
                    // The first invalidation during a style recalculation has the same initiator as the recalculation.
                    let styles = computed.get(id).filter(|styles| styles.end > event.start);
                    let before = styles.and_then(|styles| self.of(styles.marker));
                    let first = before.filter(|_| !invalidated.contains_key(id));
                    invalidated.insert(id, first.unwrap_or(event.marker));
                }
                EventRole::LaidOut => self.add(event, invalidated.remove(id)),
            }
        }
    }

    fn add(&mut self, event: &Event, initiator: Option<MarkerId>) {
        if let Some(initiator) = initiator {
            self.of.insert(event.marker, initiator);
            self.led_to.entry(initiator).or_default().push(event.marker);
        }
    }

    /// The initiator of an event.
    #[must_use]
    #[inline]
    pub fn of(&self, marker: MarkerId) -> Option<MarkerId> {
        self.of.get(&marker).copied()
    }

    /// The events that an event initiated, in time order.
    #[must_use]
    #[inline]
    pub fn led_to(&self, marker: MarkerId) -> &[MarkerId] {
        self.led_to.get(&marker).map_or(&[], Vec::as_slice)
    }

    /// All initiated events, each with its initiator.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (MarkerId, MarkerId)> + '_ {
        self.of.iter().map(|(event, initiator)| (*event, *initiator))
    }
}
