//! Reads one thread of either dialect, and completes it in a partial load.

use super::partial_thread::Whole;
use super::raw_thread::RawThread;
use super::{finish, gecko, processed};
use crate::firefox::dialect::Dialect;
use crate::firefox::document::slabs::Slabs;
use crate::io::text::Text;
use crate::progress::Progress;
use flowline_json::Cursor;

/// In a partial load, the text including everything beyond the loaded part, and the length of that part.
pub(in crate::firefox) fn beyond_part(text: &Text) -> Option<Whole<'_>> {
    let part = text.available_after(0).0.len();
    text.beyond_part().map(|text| Whole { text, part })
}

/// Reads one thread object, which ends at `end` if known. Damage ends it early with a warning. In a partial load, a
/// thread that continues beyond the loaded part is completed.
pub(in crate::firefox) fn read_thread<'a>(
    dialect: Dialect,
    (cursor, end): (Cursor<'a>, Option<usize>),
    slabs: &Slabs<'a>,
    whole: Option<&Whole<'a>>,
    progress: &Progress,
) -> RawThread {
    let mut thread = RawThread { end, ..RawThread::default() };
    let start = cursor.offset();
    let result = match dialect {
        _ if progress.is_cancelled() => Ok(()),
        Dialect::Raw => gecko::read_thread(cursor, slabs, &mut thread, progress),
        Dialect::Processed => processed::read_thread(cursor, slabs, &mut thread, progress),
    };
    let mut text = cursor.text();
    if let Err(error) = result {
        thread.note_damage(error);
        if let Some(whole) = whole {
            whole.complete(dialect, start, &mut thread, progress);
            text = whole.text;
        }
    }
    thread.offset = start;
    finish::finish(thread, dialect, text)
}
