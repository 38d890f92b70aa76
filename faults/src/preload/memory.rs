//! The allocator of the C library, one call of which fails. Only allocations of the program itself count: the C library ends
//! the program if some of its own fail, and drivers may do the same.

use std::arch::naked_asm;
use std::sync::atomic::{AtomicU64, Ordering};

use libc::{c_int, c_void, size_t};

use crate::{plan, report};

unsafe extern "C" {
    fn __libc_malloc(size: size_t) -> *mut c_void;
    fn __libc_calloc(count: size_t, size: size_t) -> *mut c_void;
    fn __libc_realloc(memory: *mut c_void, size: size_t) -> *mut c_void;
    fn __libc_memalign(align: size_t, size: size_t) -> *mut c_void;
}

/// Start and end of the code of the program; equal while nothing fails.
static CODE: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

// The functions pass their return address on, which tells who calls.

/// See `malloc(3)`.
///
/// # Safety
/// As stated there.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn malloc(size: size_t) -> *mut c_void {
    naked_asm!("mov rsi, [rsp]", "jmp {}", sym fault_malloc)
}

/// See `malloc(3)`.
///
/// # Safety
/// As stated there.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn calloc(count: size_t, size: size_t) -> *mut c_void {
    naked_asm!("mov rdx, [rsp]", "jmp {}", sym fault_calloc)
}

/// See `malloc(3)`.
///
/// # Safety
/// As stated there.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn realloc(memory: *mut c_void, size: size_t) -> *mut c_void {
    naked_asm!("mov rdx, [rsp]", "jmp {}", sym fault_realloc)
}

/// See `posix_memalign(3)`.
///
/// # Safety
/// As stated there.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn posix_memalign(out: *mut *mut c_void, align: size_t, size: size_t) -> c_int {
    naked_asm!("mov rcx, [rsp]", "jmp {}", sym fault_posix_memalign)
}

/// See `posix_memalign(3)`.
///
/// # Safety
/// As stated there.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aligned_alloc(align: size_t, size: size_t) -> *mut c_void {
    naked_asm!("mov rdx, [rsp]", "jmp {}", sym fault_aligned_alloc)
}

/// Begins to count the allocations of the program.
pub(crate) fn start() {
    unsafe extern "C" fn first(info: *mut libc::dl_phdr_info, _: size_t, _: *mut c_void) -> c_int {
        // SAFETY: the C library passes a valid description.
        let info = unsafe { &*info };
        for at in 0..usize::from(info.dlpi_phnum) {
            // SAFETY: the array has this many headers.
            let header = unsafe { &*info.dlpi_phdr.add(at) };
            if header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0 {
                let from = info.dlpi_addr + header.p_vaddr;
                CODE[1].store(from + header.p_memsz, Ordering::Relaxed);
                CODE[0].store(from, Ordering::Relaxed);
            }
        }
        // The program is the first object.
        1
    }
    // SAFETY: the function has the type that is asked for.
    unsafe { libc::dl_iterate_phdr(Some(first), std::ptr::null_mut()) };
}

fn fails(size: size_t, caller: u64) -> bool {
    let is_own = CODE[0].load(Ordering::Relaxed) <= caller && caller < CODE[1].load(Ordering::Relaxed);
    let fails = is_own && plan::fails(false);
    if fails {
        report::hit(size as u64);
    }
    fails
}

unsafe extern "C" fn fault_malloc(size: size_t, caller: u64) -> *mut c_void {
    // SAFETY: the contract of `malloc`.
    if fails(size, caller) { std::ptr::null_mut() } else { unsafe { __libc_malloc(size) } }
}

unsafe extern "C" fn fault_calloc(count: size_t, size: size_t, caller: u64) -> *mut c_void {
    let fails = fails(count.saturating_mul(size), caller);
    // SAFETY: the contract of `calloc`.
    if fails { std::ptr::null_mut() } else { unsafe { __libc_calloc(count, size) } }
}

unsafe extern "C" fn fault_realloc(memory: *mut c_void, size: size_t, caller: u64) -> *mut c_void {
    // SAFETY: the contract of `realloc`.
    if fails(size, caller) { std::ptr::null_mut() } else { unsafe { __libc_realloc(memory, size) } }
}

unsafe extern "C" fn fault_posix_memalign(out: *mut *mut c_void, align: size_t, size: size_t, caller: u64) -> c_int {
    if fails(size, caller) {
        return libc::ENOMEM;
    }
    // SAFETY: the contract of `posix_memalign`, whose alignments are those of `memalign`.
    unsafe { *out = __libc_memalign(align, size) };
    0
}

unsafe extern "C" fn fault_aligned_alloc(align: size_t, size: size_t, caller: u64) -> *mut c_void {
    // SAFETY: the contract of `aligned_alloc`, whose alignments are those of `memalign`.
    if fails(size, caller) { std::ptr::null_mut() } else { unsafe { __libc_memalign(align, size) } }
}
