//! Slices in kernel events: interrupts of CPUs, work items of kernel threads, and system calls.
//!
//! | event | number | fields |
//! |---|---|---|
//! | `softirq_entry`, `softirq_exit` | 24, 25 | 1 vector |
//! | `irq_handler_entry`, `irq_handler_exit` | 36, 37 | 1 `irq`, 2 `name` |
//! | `workqueue_execute_end`, `workqueue_execute_start` | 57, 58 | 2 `function`, an interned symbol of the kernel |
//! | `sys_enter`, `sys_exit` | 329, 330 | 1 `id` |
//!
//! The vectors are those of `include/linux/interrupt.h` in Linux. Numbers of system calls depend on the processor, so they
//! have no names here. A program writes lines to the kernel trace with a system call, whose begin and end are therefore
//! around only one end of a printed slice: system calls have tracks of their own.

use super::interrupt_row::InterruptRow;
use crate::perfetto::event::{Args, EventId, OwnerId, TraceEvent};
use crate::perfetto::json_text::{integer, text};
use crate::perfetto::output::Output;
use crate::perfetto::packet::Packet;
use crate::perfetto::wire::Field;
use crate::perfetto::writer::{Writer, emit};

/// Names of softirqs by vector.
const SOFTIRQS: [&str; 10] =
    ["HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"];

impl<O: Output> Writer<'_, O> {
    /// Writes the begin or end of an interrupt or softirq.
    pub(in crate::perfetto) fn interrupt(&mut self, (ts, cpu): (i64, u32), event: Field<'_>) {
        let (mut number, mut name) = (0, None);
        for field in event.message() {
            match field.number {
                1 => number = field.number(),
                2 if event.number == 36 => name = Some(text(field.bytes())).filter(|name| !name.is_empty()),
                _ => {}
            }
        }
        let row = InterruptRow { cpu, is_soft: matches!(event.number, 24 | 25) };
        let is_begin = matches!(event.number, 24 | 36);
        let owner = row.owner();
        if O::NAMES && self.scheduling.named_interrupts.insert(row) {
            self.name_cpu(cpu);
            let (kind, index) = if row.is_soft { ("softirqs", 2) } else { ("interrupts", 1) };
            let index = 3 * i64::from(cpu) + index;
            self.name(&owner, ["thread_name", "thread_sort_index"], &format!("CPU {cpu}: {kind}"), Some(index));
        }
        if !O::EVENTS {
            return;
        }
        let softirq = usize::try_from(number).ok().and_then(|number| SOFTIRQS.get(number)).copied();
        let name = match (row.is_soft, name) {
            (true, _) => softirq.map_or_else(|| format!("softirq {number}").into(), Into::into),
            (false, Some(name)) => name,
            (false, None) => format!("IRQ {number}").into(),
        };
        let args = |out: &mut String| {
            out.push_str(if row.is_soft { "{\"vector\":" } else { "{\"irq\":" });
            integer(out, number);
            out.push('}');
        };
        let event = TraceEvent {
            categories: if row.is_soft { "softirq".into() } else { "irq".into() },
            name: is_begin.then_some(name),
            args: if is_begin { Args::Made(&args) } else { Args::None },
            ..TraceEvent::new(if is_begin { b'B' } else { b'E' }, ts, &owner)
        };
        emit(&mut self.output, self.facts, &mut self.place, &event);
    }

    /// Writes the begin or end of a work item on the thread that executes it.
    pub(in crate::perfetto) fn work_item(&mut self, packet: &Packet<'_>, (ts, tid): (i64, i64), event: Field<'_>) {
        let target = self.thread_target(self.printing(tid));
        if !O::EVENTS {
            return;
        }
        let is_begin = event.number == 58;
        let function = event.message().field(2).map_or(0, |function| function.number());
        let sequence = self.state.sequences.known(packet.sequence);
        let symbol = sequence.and_then(|sequence| sequence.kernel_symbols.get(&function));
        let name = symbol.map_or_else(|| format!("{function:#x}").into(), |symbol| symbol.to_string().into());
        let event = TraceEvent {
            categories: "workqueue".into(),
            name: is_begin.then_some(name),
            ..TraceEvent::new(if is_begin { b'B' } else { b'E' }, ts, &target.owner)
        };
        emit(&mut self.output, self.facts, &mut self.place, &event);
    }

    /// Writes the begin or end of a system call.
    pub(in crate::perfetto) fn system_call(&mut self, (ts, tid): (i64, i64), event: Field<'_>) {
        let (pid, _) = self.printing(tid);
        let thread = self.facts.thread_name(tid).map_or_else(|| format!("Thread {tid}"), str::to_owned);
        let owner = self.named_target(OwnerId::Number(pid), &format!("{thread}: system calls"));
        if !O::EVENTS {
            return;
        }
        let is_begin = event.number == 329;
        let number = event.message().field(1).map_or(0, |number| number.signed());
        let id = format!("{tid} system calls");
        let event = TraceEvent {
            id: EventId::Track(&id),
            categories: "syscall".into(),
            name: is_begin.then(|| format!("syscall {number}").into()),
            ..TraceEvent::new(if is_begin { b'S' } else { b'F' }, ts, &owner)
        };
        emit(&mut self.output, self.facts, &mut self.place, &event);
    }
}
