//! A failed allocation ends the program with a one-line error and status 1 instead of an abort. Unix only.
//!
//! The memory limits of an import reject most recordings that are too large before any memory is allocated. An
//! allocation can still fail if another program takes the memory in the meantime, or if the system limits the address
//! space. Fallible allocations (`try_reserve`) in dependencies also end the program; Flowline does not rely on them.
#![expect(unsafe_code, reason = "`GlobalAlloc` is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};

/// The system allocator; a failed allocation ends the program.
pub(crate) struct EndingAllocator;

#[global_allocator]
static ALLOCATOR: EndingAllocator = EndingAllocator;

// SAFETY: every call is forwarded unchanged to the system allocator. A null pointer is never returned.
unsafe impl GlobalAlloc for EndingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the same contract that the system allocator requires.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn checked(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        end(size);
    }
    memory
}

/// Prints the error without allocating and exits at once.
#[cold]
fn end(size: usize) -> ! {
    let (mut digits, mut first, mut rest) = ([b'0'; 20], 20, size);
    while first == 20 || rest > 0 {
        first -= 1;
        digits[first] = b"0123456789"[rest % 10];
        rest /= 10;
    }
    write(b"flowline: not enough memory: ");
    write(&digits[first..]);
    write(b" bytes more needed; close other programs, or open only a part of the recording\n");
    // SAFETY: `_exit` ends the process and never returns.
    unsafe { libc::_exit(1) }
}

fn write(text: &[u8]) {
    // SAFETY: the pointer and the length come from the same slice. A write error is ignored: the program is about to
    // exit.
    let _written = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
}
