//! The program's allocator. It counts what is on the heap (`flowline_profile::heap`). A failed allocation, or one beyond
//! the limit, ends the program with a one-line error and status 1 instead of an abort. Unix only.
//!
//! The memory limits of an import reject most recordings that are too large before any memory is allocated. An
//! allocation can still fail if another program takes the memory in the meantime, or if the system limits the address
//! space. Fallible allocations (`try_reserve`) in dependencies also end the program; Flowline does not rely on them.
#![expect(unsafe_code, reason = "`GlobalAlloc` is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};

use flowline_profile::heap;

/// The system allocator, counted; a failed allocation ends the program.
pub(crate) struct EndingAllocator;

#[global_allocator]
static ALLOCATOR: EndingAllocator = EndingAllocator;

// SAFETY: every call is forwarded unchanged to the system allocator. A null pointer is never returned. Counting neither
// allocates nor unwinds.
unsafe impl GlobalAlloc for EndingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        before(heap::on_allocate(layout.size()), layout.size());
        // SAFETY: the caller upholds the same contract that the system allocator requires.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        before(heap::on_allocate(layout.size()), layout.size());
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        before(heap::on_resize(layout.size(), size), size.saturating_sub(layout.size()));
        // SAFETY: as above.
        checked(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        heap::on_free(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Ends the program if an allocation of `size` bytes would exceed the limit of the memory.
#[inline]
fn before(is_due: bool, size: usize) {
    if is_due && let Err(free) = heap::left_after(memory_in_use(), size as u64) {
        let mega = |bytes: u64| usize::try_from(bytes >> 20).unwrap_or(usize::MAX);
        end(&[
            b"flowline: not enough memory: ",
            &*Number::of(mega(size as u64 + heap::STEP - 1)),
            b" MB more needed, ",
            &*Number::of(mega(free)),
            b" MB available; close other programs or raise the limit with --max-memory\n",
        ]);
    }
}

#[inline]
fn checked(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        end(&[
            b"flowline: not enough memory: ",
            &*Number::of(size),
            b" bytes more needed; close other programs, or open only a part of the recording\n",
        ]);
    }
    memory
}

/// Bytes of memory of this program that are no pages of files, without allocating; the bytes on the heap if unknown.
#[cold]
fn memory_in_use() -> u64 {
    let mut text = [0_u8; 128];
    // SAFETY: the path ends with a zero.
    let file = unsafe { libc::open(c"/proc/self/statm".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    if file < 0 {
        return heap::used();
    }
    // SAFETY: the pointer and the length come from the same array.
    let read = unsafe { libc::read(file, text.as_mut_ptr().cast(), text.len()) };
    // SAFETY: the file was opened above and is used nowhere else.
    let _closed = unsafe { libc::close(file) };
    // SAFETY: `sysconf` has no preconditions.
    let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(1 << 12);
    let read = usize::try_from(read).unwrap_or(0);
    // All pages, those in memory, and those of files or shared memory among them.
    let mut numbers = text[..read].split(|byte| !byte.is_ascii_digit()).map(|digits| {
        digits.iter().fold(0_u64, |number, digit| number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')))
    });
    match (numbers.nth(1), numbers.next()) {
        (Some(resident), Some(shared)) => resident.saturating_sub(shared).saturating_mul(page),
        _ => heap::used(),
    }
}

/// The decimal digits of a number, without allocating.
struct Number {
    digits: [u8; 20],
    first: usize,
}

impl Number {
    const fn of(number: usize) -> Self {
        let (mut digits, mut first, mut rest) = ([b'0'; 20], 20, number);
        while first == 20 || rest > 0 {
            first -= 1;
            digits[first] = b"0123456789"[rest % 10];
            rest /= 10;
        }
        Self { digits, first }
    }
}

impl std::ops::Deref for Number {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.digits[self.first..]
    }
}

/// Prints the error without allocating and exits at once.
#[cold]
fn end(message: &[&[u8]]) -> ! {
    for part in message {
        // SAFETY: the pointer and the length come from the same slice. A write error is ignored: the program is about to
        // exit.
        let _written = unsafe { libc::write(libc::STDERR_FILENO, part.as_ptr().cast(), part.len()) };
    }
    // SAFETY: `_exit` ends the process and never returns.
    unsafe { libc::_exit(1) }
}
