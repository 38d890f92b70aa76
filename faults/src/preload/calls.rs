//! System calls: the kernel stops those of the filter, and a signal handler makes them or lets them fail.

use std::arch::global_asm;

use libc::{c_int, c_void, siginfo_t, ucontext_t};

use crate::{filter, plan, report};

// The only system call that passes the filter. Arguments: number, then a pointer to six arguments.
global_asm!(
    ".globl fault_pass",
    "fault_pass: push rbx",
    "mov rax, rdi",
    "mov rbx, rsi",
    "mov rdi, [rbx]",
    "mov rsi, [rbx + 8]",
    "mov rdx, [rbx + 16]",
    "mov r10, [rbx + 24]",
    "mov r8, [rbx + 32]",
    "mov r9, [rbx + 40]",
    "syscall",
    ".globl fault_passed",
    "fault_passed: pop rbx",
    "ret",
);

unsafe extern "C" {
    fn fault_pass(number: i64, arguments: *const i64) -> i64;
    fn fault_passed();
}

/// Makes a system call that never fails on purpose.
pub(crate) fn passed(number: i64, arguments: [i64; 6]) -> i64 {
    // SAFETY: the arguments are those of the program or of the report.
    unsafe { fault_pass(number, arguments.as_ptr()) }
}

/// Begins to count the system calls of the program.
pub(crate) fn start() {
    // SAFETY: the handler has the type that `SA_SIGINFO` asks for.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handle as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER | libc::SA_RESTART;
        assert_eq!(libc::sigaction(libc::SIGSYS, &raw const action, std::ptr::null_mut()), 0);
    }
    filter::install(fault_passed as *const () as u64);
}

/// The calls that need room on a disk.
const WRITING: [i64; 14] = [
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_pwrite64,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_mkdir,
    libc::SYS_mkdirat,
    libc::SYS_linkat,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_copy_file_range,
];

/// The error of a call.
fn error(number: i64, variant: u8) -> c_int {
    let choices = match number {
        libc::SYS_open | libc::SYS_openat => [libc::EMFILE, libc::EACCES],
        libc::SYS_mmap | libc::SYS_memfd_create => [libc::ENOMEM, libc::ENODEV],
        number if WRITING.contains(&number) => [libc::ENOSPC, libc::EIO],
        libc::SYS_unlink | libc::SYS_unlinkat | libc::SYS_fchmod | libc::SYS_utimensat => [libc::EPERM, libc::EROFS],
        _ => [libc::EIO, libc::EACCES],
    };
    choices[usize::from(variant % 2)]
}

/// A variant of faults: a call that transfers only a part of what was asked for.
const PARTIAL: u8 = 2;

extern "C" fn handle(_: c_int, _: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes the registers of the stopped call.
    let registers = unsafe { &mut (*context.cast::<ucontext_t>()).uc_mcontext.gregs };
    let register = |name: c_int| registers[name as usize];
    let number = register(libc::REG_RAX);
    let mut arguments =
        [libc::REG_RDI, libc::REG_RSI, libc::REG_RDX, libc::REG_R10, libc::REG_R8, libc::REG_R9].map(register);
    let result = if plan::fails(WRITING.contains(&number)) {
        report::hit(number as u64);
        let transfers = [libc::SYS_read, libc::SYS_write, libc::SYS_pread64, libc::SYS_pwrite64].contains(&number);
        match plan::variant() {
            PARTIAL if transfers && arguments[2] > 1 => {
                arguments[2] /= 2;
                passed(number, arguments)
            }
            variant => -i64::from(error(number, variant)),
        }
    } else {
        passed(number, arguments)
    };
    registers[libc::REG_RAX as usize] = result;
}
