//! The machines of a trace (`TracePacket.machine_id`, field 98 of `trace_packet.proto`). A recording service can collect
//! packets from other machines, such as virtual machines, which have their own processes, threads, CPUs and clocks. The
//! machine of the service has no number, and its ids stay as they are.
//!
//! Each machine has its own facts, and its own part of the state of a reader. A reader exchanges that part before and
//! after it reads a packet of another machine. Sequences belong to one machine, so their state is shared.

use std::mem::swap;

use super::destination_use::Use;
use super::machine_state::MachineState;
use super::output::Output;
use super::packet::Packet;
use super::writer::Writer;

impl<O: Output> Writer<'_, O> {
    /// Reads the packet of another machine at offset `at` of the trace.
    pub(super) fn packet_of_machine(&mut self, packet: &Packet<'_>, at: u64) {
        let before = self.uses.len();
        if !self.on_machine(packet.machine, |writer| writer.packet(packet, at)) {
            self.state.sequences.of(packet.sequence).apply(packet, O::STACKS);
            return self.omit("packets of further machines");
        }
        let used: Vec<Use> = self.uses.drain(before..).collect();
        self.uses.extend(used.into_iter().map(|used| Use::OfMachine(packet.machine, Box::new(used))));
    }

    /// Runs `act` with the facts and the state of a machine; returns `false` if the machine has no facts.
    pub(super) fn on_machine(&mut self, machine: u32, act: impl FnOnce(&mut Self)) -> bool {
        let Some(at) = self.machine_index(machine) else { return false };
        self.exchange(at);
        act(self);
        self.exchange(at);
        true
    }

    /// Returns the index of a machine's state, which begins with its first packet.
    fn machine_index(&mut self, machine: u32) -> Option<usize> {
        let known = self.machines.iter().position(|known| known.machine == machine);
        known.or_else(|| {
            let number = self.facts.machines.iter().position(|facts| facts.machine == machine)?;
            let facts = self.facts.machines.get(number)?;
            self.machines.push(MachineState::new(facts, self.targets.of_machine(number, machine)?));
            Some(self.machines.len() - 1)
        })
    }

    /// Exchanges the state of the current machine with another one.
    fn exchange(&mut self, at: usize) {
        let Some(other) = self.machines.get_mut(at) else { return };
        swap(&mut self.facts, &mut other.facts);
        swap(&mut self.targets, &mut other.targets);
        swap(&mut self.places, &mut other.places);
        swap(&mut self.last_place, &mut other.last_place);
        swap(&mut self.last_counter, &mut other.last_counter);
        swap(&mut self.times, &mut other.times);
        swap(&mut self.threads, &mut other.threads);
        swap(&mut self.named_processes, &mut other.named_processes);
        swap(&mut self.named_cpus, &mut other.named_cpus);
        swap(&mut self.named_groups, &mut other.named_groups);
        swap(&mut self.open_frames, &mut other.open_frames);
        swap(&mut self.heap_profiles, &mut other.heap_profiles);
        swap(&mut self.named_heaps, &mut other.named_heaps);
        swap(&mut self.scheduling, &mut other.scheduling);
        swap(&mut self.state_owners, &mut other.state_owners);
    }

    /// Ends the data of all other machines.
    pub(super) fn end_machines(&mut self) {
        let facts = self.facts;
        for machine in &facts.machines {
            self.on_machine(machine.machine, Self::end_derived);
        }
    }
}
