//! Running out of memory ends the program with one sentence and status 1, not with an abort. On Unix only.
//!
//! The limits of an import refuse most recordings that are too large before their memory is taken. What remains is another
//! program that takes the memory meanwhile, or a limit of the system on the address space. Allocations that may fail
//! elsewhere (`try_reserve`) end the program, too; nothing here relies on them.
#![expect(unsafe_code, reason = "an allocator cannot be written without it")]

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator; a failure ends the program.
pub(crate) struct EndingAllocator;

#[global_allocator]
static ALLOCATOR: EndingAllocator = EndingAllocator;

// SAFETY: all calls go to the system's allocator as they are; a null pointer is never returned.
unsafe impl GlobalAlloc for EndingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are the system allocator's.
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

/// Writes the sentence without an allocation and ends the program at once.
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
    write(b" bytes more could not be had; close other programs, or open a part of the recording\n");
    // SAFETY: it ends the process and returns to nobody.
    unsafe { libc::_exit(1) }
}

fn write(text: &[u8]) {
    // SAFETY: the pointer and the length are those of a slice. Nothing can be done about a failure.
    let _written = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
}
