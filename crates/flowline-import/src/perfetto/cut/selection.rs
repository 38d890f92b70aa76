//! Decides how a cut keeps each packet.

use foldhash::{HashMap, HashSet};

use super::kernel::{ItemUse, KernelCut};
use super::kernel_item::ItemKind;
use super::packet_list::PacketRole;
use super::twin::Twin;
use crate::cut::CutScope;
use crate::error::ImportError;
use crate::perfetto::json_text::text as text_of;
use crate::progress::Progress;
use crate::trace_events::{self, CutClock};
use flowline_profile::{CPUS_PID, Ns, Profile, THREAD_STATE_SUFFIX, TrackKind};

/// How a cut keeps a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PacketUse {
    Nothing,
    /// Only what changes the state of its sequence.
    State,
    /// The payload without the state of its sequence, which no kept packet needs.
    Description,
    /// Without the name: it only ends a state.
    StateEnd,
    Whole,
}

/// The kept part of a trace.
#[derive(Debug)]
pub(super) struct CutSelection {
    /// One per packet.
    pub(super) packets: Vec<PacketUse>,
    /// One per kernel event.
    pub(super) kernel: Vec<ItemUse>,
    /// Threads and their processes, which no kept packet states.
    pub(super) threads: Vec<(i64, i64)>,
    /// Indexes of the tracks without a name that have events in the part, ascending.
    pub(super) unnamed_tracks: Vec<usize>,
    /// Names of threads that no kept kernel event states, and the number of the packet that states them.
    pub(super) thread_names: Vec<(i64, Box<[u8]>)>,
    pub(super) last_bundle: Option<u32>,
    pub(super) clock: Option<CutClock>,
}

/// True if a row of CPUs or of thread states has markers in the part.
fn has_scheduling(scope: &CutScope<'_>) -> bool {
    scope.profile.threads_with_ids().any(|(id, thread)| {
        let is_cpu = scope.profile.process_of(id).pid.as_str() == CPUS_PID;
        let is_state = thread.tid.as_str().ends_with(THREAD_STATE_SUFFIX);
        thread.kind == TrackKind::Thread && (is_cpu || is_state) && !scope.markers(id.index()).is_empty()
    })
}

/// Links the event that a packet states itself to the counter values of the packet: none of them may be missing.
fn joined_events(twin: &Twin) -> Vec<(u64, u64)> {
    let mut joined = Vec::new();
    for events in twin.events.chunk_by(|a, b| a.packet == b.packet) {
        let (Some(own), [first, ..]) = (events.iter().find(|event| event.is_own()), events) else { continue };
        let Some(packet) = twin.packets.get(first.packet as usize) else { continue };
        // A state without its name still ends the previous one.
        if packet.role == PacketRole::Events && !packet.is_state {
            let values = events.iter().filter(|event| !event.is_own());
            joined.extend(values.map(|value| (value.offset, own.offset)));
        }
    }
    joined
}

impl CutSelection {
    /// Selects the packets of a part. `text` is the trace read from its text.
    ///
    /// # Errors
    /// When canceled.
    pub(super) fn new(
        scope: &CutScope<'_>,
        text: &Profile,
        twin: &Twin,
        progress: &Progress,
    ) -> Result<Self, ImportError> {
        let CutScope { range, is_searched, .. } = *scope;
        let of_text =
            CutScope { profile: text, threads: scope.threads.clone(), markers: scope.markers.clone(), ..*scope };
        let kept = trace_events::kept_events(&of_text, joined_events(twin), progress)?;
        let is_kept = |offset: u64| kept.events.binary_search(&offset).is_ok();

        let mut packets: Vec<PacketUse> = vec![PacketUse::Nothing; twin.packets.len()];
        let mut has_events = vec![false; twin.packets.len()];
        let mut kernel = KernelCut::new(&twin.kernel);
        let mut stated = vec![false; twin.kernel.items.len()];
        let all_scheduling = has_scheduling(scope);
        let mut slices = Vec::new();
        for event in &twin.events {
            let number = event.packet as usize;
            if let Some(slice) = event.kernel_slice.and_then(|slice| twin.kernel_slices.get(slice as usize)) {
                let is_inside = slice.since < range.end.0 && slice.until >= range.start.0;
                if is_kept(event.offset) || (all_scheduling && is_inside) {
                    slices.push(*slice);
                }
                continue;
            }
            let Some(packet) = twin.packets.get(number) else { continue };
            has_events[number] = true;
            if packet.role == PacketRole::Kernel {
                let item = kernel.item_at(event.packet, event.place);
                if let Some(item) = item {
                    stated[item] = true;
                    if is_kept(event.offset) {
                        kernel.keep(item);
                    }
                }
            } else if is_kept(event.offset) {
                // An event before the own one of a packet that enters a state is the end of the previous state.
                let is_end = packet.is_state && !event.is_own() && packets[number] != PacketUse::Whole;
                packets[number] = if is_end { PacketUse::StateEnd } else { PacketUse::Whole };
            }
        }
        for (number, item) in twin.kernel.items.iter().enumerate() {
            let is_inside = scope.contains(Ns(item.ts));
            let is_other = matches!(item.kind, ItemKind::Rename | ItemKind::Blocked { .. } | ItemKind::Other { .. });
            if is_inside && !stated[number] && (is_other || (all_scheduling && !is_searched)) {
                kernel.keep(number);
            }
        }
        if twin.kernel.has_losses {
            kernel.keep_all();
        }
        kernel.keep_slices(slices);
        kernel.keep_end();
        let has_other_name = |tid: i64, name: &[u8]| {
            let listed = twin.facts.process_of(tid).and_then(|pid| twin.facts.threads.get(&(pid, tid)));
            listed.is_some_and(|named| !named.name.is_empty() && *named.name != *text_of(name))
        };
        let thread_names = kernel.keep_names(|tid| twin.facts.process_of(tid), has_other_name);
        let last_bundle = kernel.last_packet();
        for (number, packet) in twin.packets.iter().enumerate() {
            let is_inside = packet.time.is_none_or(|time| scope.contains(Ns(time)));
            match packet.role {
                PacketRole::Description => packets[number] = PacketUse::Description,
                PacketRole::Kernel if packet.is_readable => packets[number] = PacketUse::Whole,
                PacketRole::Events | PacketRole::NotImported
                    if !has_events[number] && packet.is_readable && is_inside =>
                {
                    packets[number] = PacketUse::Whole;
                }
                PacketRole::Events | PacketRole::NotImported | PacketRole::Kernel | PacketRole::Empty => {}
            }
        }
        drop_unused_bundles(twin, &kernel.uses, &mut packets);
        keep_states(twin, &mut packets);
        let process = |tid: i64| twin.facts.process_of(tid).filter(|_| !twin.listed_threads.contains(&tid));
        let threads = kernel.threads().into_iter().filter_map(|tid| Some((tid, process(tid)?))).collect();
        let named = twin.packets.iter().zip(&packets).filter(|(_, used)| is_used(**used));
        let unnamed: HashSet<u32> = named.filter_map(|(packet, _)| packet.unnamed_track).collect();
        let mut unnamed_tracks: Vec<usize> = unnamed.into_iter().map(|track| track as usize).collect();
        unnamed_tracks.sort_unstable();
        Ok(Self { packets, kernel: kernel.uses, threads, unnamed_tracks, thread_names, last_bundle, clock: kept.clock })
    }
}

/// True for packets whose events depend on the state of their sequence.
const fn is_used(used: PacketUse) -> bool {
    matches!(used, PacketUse::Whole | PacketUse::StateEnd)
}

/// Drops bundles of which no event is kept. Those that relate clocks are written without events.
fn drop_unused_bundles(twin: &Twin, uses: &[ItemUse], packets: &mut [PacketUse]) {
    let used: HashSet<u32> = twin
        .kernel
        .items
        .iter()
        .zip(uses)
        .filter(|(_, used)| !used.is_nothing())
        .map(|(item, _)| item.packet)
        .collect();
    for (number, packet) in (0_u32..).zip(&twin.packets) {
        if packet.role == PacketRole::Kernel && !used.contains(&number) && !packet.relates_clocks {
            packets[number as usize] = PacketUse::Nothing;
        }
    }
}

/// Keeps the state of each sequence from where it was cleared, if a packet needs it before it is cleared again. All
/// packets of such a generation keep their states, because later entries belong to it, too.
fn keep_states(twin: &Twin, packets: &mut [PacketUse]) {
    let mut generations: Vec<bool> = Vec::new();
    let mut current: HashMap<u32, usize> = HashMap::default();
    let mut of_packet: Vec<usize> = Vec::with_capacity(packets.len());
    for (packet, used) in twin.packets.iter().zip(&*packets) {
        let known = current.get(&packet.sequence).copied().filter(|_| !packet.is_cleared);
        let generation = known.unwrap_or(generations.len());
        if known.is_none() {
            generations.push(false);
            current.insert(packet.sequence, generation);
        }
        generations[generation] |= is_used(*used);
        of_packet.push(generation);
    }
    for ((used, generation), packet) in packets.iter_mut().zip(of_packet).zip(&twin.packets) {
        *used = match *used {
            PacketUse::Nothing if generations[generation] => PacketUse::State,
            PacketUse::Description if generations[generation] && packet.is_readable => PacketUse::Whole,
            other => other,
        };
    }
}
