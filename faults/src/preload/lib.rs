//! Loaded into a program with `LD_PRELOAD`: fails one of its system calls or allocations.
//!
//! `FLOWLINE_FAULT=calls:N:VARIANT` fails the system call with this number (from 0), `full:N:0` that call and all later calls
//! that write, as a full disk does, and `memory:N:0` the allocation with this number of the program itself. A number beyond the
//! last one only counts. `FLOWLINE_FAULT_REPORT` names a file for the report: `hit CALL` when a fault was injected, and
//! `count N` at the end. Linux on x86-64 only.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod calls;
mod filter;
mod memory;
mod plan;
mod report;

/// Runs after the libraries of the program are loaded, before its `main`.
#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

/// Runs when the program exits.
#[used]
#[unsafe(link_section = ".fini_array")]
static END: extern "C" fn() = report::at_exit;

extern "C" fn start() {
    let Some(kind) = plan::read() else { return };
    report::open();
    match kind {
        plan::Kind::Memory => memory::start(),
        plan::Kind::Call | plan::Kind::Full => calls::start(),
    }
}
