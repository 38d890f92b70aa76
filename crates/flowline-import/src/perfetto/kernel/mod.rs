//! Events of the Linux kernel: context switches, states of threads, interrupts, counters, and the lines that programs
//! print to the kernel trace.

pub(super) mod bundle;
pub(super) mod compact_events;
pub(super) mod counters;
pub(super) mod cpu_rows;
pub(super) mod facts;
pub(super) mod interrupt_row;
pub(super) mod kernel_events;
pub(super) mod kinds;
pub(super) mod print_events;
pub(super) mod scheduling;
pub(super) mod slices;
pub(super) mod task_states;
pub(super) mod thread_names;
pub(super) mod thread_states;
