//! The part of a reader's state that each machine of a trace has for itself (see `machines`).

use std::rc::Rc;

use foldhash::{HashMap, HashSet};

use super::clock_segment::ClockSegment;
use super::event::Owner;
use super::first_pass::Facts;
use super::kernel::scheduling::Scheduling;
use super::owner_descriptor::ThreadKey;
use super::sources::frame::OpenFrames;
use super::sources::groups::NamedGroups;
use super::sources::heap_history::HeapProfiles;
use super::targets::Targets;
use super::tracks::{Counter, EventTarget};

/// The state of a machine whose packet is not the current one.
pub(super) struct MachineState<'f> {
    pub(super) machine: u32,
    pub(super) facts: &'f Facts,
    pub(super) targets: &'f Targets,
    pub(super) places: HashMap<u64, Rc<EventTarget>>,
    pub(super) last_place: Option<(u64, Rc<EventTarget>)>,
    pub(super) last_counter: Option<(u64, &'f Counter)>,
    pub(super) times: ClockSegment,
    pub(super) threads: HashMap<ThreadKey, Rc<EventTarget>>,
    pub(super) named_processes: HashSet<i64>,
    pub(super) named_cpus: HashSet<u32>,
    pub(super) named_groups: NamedGroups,
    pub(super) open_frames: OpenFrames,
    pub(super) heap_profiles: HeapProfiles,
    pub(super) named_heaps: HashSet<Owner>,
    pub(super) scheduling: Scheduling,
    pub(super) state_owners: HashMap<i64, Rc<Owner>>,
}

impl<'f> MachineState<'f> {
    /// The state before the first packet of a machine.
    pub(super) fn new(facts: &'f Facts, targets: &'f Targets) -> Self {
        Self {
            machine: facts.machine,
            facts,
            targets,
            places: HashMap::default(),
            last_place: None,
            last_counter: None,
            times: ClockSegment::default(),
            threads: HashMap::default(),
            named_processes: HashSet::default(),
            named_cpus: HashSet::default(),
            named_groups: NamedGroups::default(),
            open_frames: OpenFrames::default(),
            heap_profiles: HeapProfiles::default(),
            named_heaps: HashSet::default(),
            scheduling: Scheduling::default(),
            state_owners: HashMap::default(),
        }
    }
}
