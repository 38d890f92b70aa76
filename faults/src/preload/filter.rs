//! The filter of the kernel (seccomp) that stops the system calls which may fail, also those that do not go through the C library.

use libc::{
    BPF_ABS, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER,
    SECCOMP_RET_ALLOW, SECCOMP_RET_TRAP, sock_filter, sock_fprog,
};

/// Calls on files that fail, if they are made by the program itself.
pub(crate) const CALLS: [i64; 30] = [
    libc::SYS_read,
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_fstat,
    libc::SYS_lstat,
    libc::SYS_lseek,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_readv,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_ftruncate,
    libc::SYS_rename,
    libc::SYS_mkdir,
    libc::SYS_unlink,
    libc::SYS_fchmod,
    libc::SYS_getdents64,
    libc::SYS_openat,
    libc::SYS_mkdirat,
    libc::SYS_newfstatat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_linkat,
    libc::SYS_utimensat,
    libc::SYS_fallocate,
    libc::SYS_renameat2,
    libc::SYS_memfd_create,
    libc::SYS_copy_file_range,
    libc::SYS_statx,
    libc::SYS_flock,
];

/// Places of the fields of `seccomp_data`.
const NUMBER: u32 = 0;
const INSTRUCTION: u32 = 8;
const FIRST_ARGUMENT: u32 = 16;
const FIFTH_ARGUMENT: u32 = 48;

const fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

const fn load(at: u32) -> sock_filter {
    statement(BPF_LD | BPF_W | BPF_ABS, at)
}

const fn skip_unless(value: u32, jf: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | BPF_JEQ | BPF_K) as u16, jt: 0, jf, k: value }
}

const ALLOW: sock_filter = statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
const TRAP: sock_filter = statement(BPF_RET | BPF_K, SECCOMP_RET_TRAP);

/// The filter: calls from the instruction before an address pass, and so do messages on standard output and error and
/// memory without a file.
pub(crate) fn install(passing: u64) {
    let [low, high] = [passing & 0xffff_ffff, passing >> 32].map(|half| half as u32);
    let mut filter =
        vec![load(INSTRUCTION), skip_unless(low, 3), load(INSTRUCTION + 4), skip_unless(high, 1), ALLOW, load(NUMBER)];
    for call in CALLS {
        filter.extend([skip_unless(call as u32, 1), TRAP]);
    }
    for call in [libc::SYS_write, libc::SYS_writev] {
        filter.extend([
            skip_unless(call as u32, 6),
            load(FIRST_ARGUMENT),
            skip_unless(1, 1),
            ALLOW,
            skip_unless(2, 1),
            ALLOW,
            TRAP,
        ]);
    }
    filter.extend([
        skip_unless(libc::SYS_mmap as u32, 4),
        load(FIFTH_ARGUMENT),
        skip_unless(u32::MAX, 1),
        ALLOW,
        TRAP,
        ALLOW,
    ]);
    let program = sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the program is valid while the kernel copies it.
    let is_set = unsafe {
        libc::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &raw const program) == 0
    };
    assert!(is_set, "the kernel has no filter of system calls");
}
