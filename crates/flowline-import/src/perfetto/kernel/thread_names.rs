//! Names of threads in kernel events (`task.proto`): `task_rename` states the new name of a thread.

use crate::perfetto::wire::Field;

/// Maximum length of a thread name in bytes. Kernel names have 15 bytes, so much longer names are invalid.
pub(in crate::perfetto) const MAX_NAME: usize = 256;

/// Returns the thread and the new name that `task_rename` states; `None` without a valid name.
pub(in crate::perfetto) fn renamed<'a>(rename: &Field<'a>) -> Option<(i64, &'a [u8])> {
    let (mut tid, mut name) = (0, &[][..]);
    for field in rename.message() {
        match field.number {
            1 => tid = field.signed(),
            3 => name = field.bytes(),
            _ => {}
        }
    }
    (!name.is_empty() && name.len() <= MAX_NAME).then_some((tid, name))
}
