//! The report: a file with what was injected. Its system calls are never failed.

use std::ffi::CString;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::calls::passed;
use crate::plan;

static FILE: AtomicI64 = AtomicI64::new(-1);

/// Opens the file of the report, if there is one.
pub(crate) fn open() {
    let path = std::env::var("FLOWLINE_FAULT_REPORT").ok().and_then(|path| CString::new(path).ok());
    if let Some(path) = path {
        let flags = i64::from(libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND | libc::O_CLOEXEC);
        let call = [libc::AT_FDCWD.into(), path.as_ptr() as i64, flags, 0o600, 0, 0];
        FILE.store(passed(libc::SYS_openat, call), Ordering::Relaxed);
    }
}

/// Writes a word and a number without allocating, because memory may be what fails.
fn write(word: &[u8], number: u64) {
    let file = FILE.load(Ordering::Relaxed);
    if file < 0 {
        return;
    }
    let mut line = [b'\n'; 48];
    let mut end = word.len();
    line[..end].copy_from_slice(word);
    line[end] = b' ';
    end += 1;
    let mut digits = [b'0'; 20];
    let (mut at, mut rest) = (digits.len(), number);
    while at == digits.len() || rest > 0 {
        at -= 1;
        digits[at] = b"0123456789"[(rest % 10) as usize];
        rest /= 10;
    }
    let digits = &digits[at..];
    line[end..end + digits.len()].copy_from_slice(digits);
    end += digits.len() + 1;
    let _written = passed(libc::SYS_write, [file, line.as_ptr() as i64, end as i64, 0, 0, 0]);
}

/// Reports an injected fault: the number of the system call, or the size of the allocation.
pub(crate) fn hit(what: u64) {
    write(b"hit", what);
}

/// Reports the number of places.
pub(crate) extern "C" fn at_exit() {
    write(b"count", plan::count());
}
