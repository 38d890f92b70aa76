//! Detects the output of `perf script` by its first lines.

use super::line::{FrameLine, Header, Line};
use crate::sampled;
use crate::text_start::is_text;

/// Number of bytes for format detection.
const LOOK: usize = 1 << 16;
/// Maximum number of lines for format detection.
const LOOK_LINES: usize = 200;

/// Numbers of lines at the start of a text.
#[derive(Clone, Copy, Default)]
struct Counts {
    headers: usize,
    /// Headers with a name and ids only, as any text may contain.
    bare: usize,
    frames: usize,
    others: usize,
}

/// Counts lines; `None` if a line before the first header is of another kind.
fn count(text: &[u8]) -> Option<Counts> {
    let look = &text[..text.len().min(LOOK)];
    let look = if look.len() < text.len() { &look[..memchr::memrchr(b'\n', look).unwrap_or(0)] } else { look };
    let mut counts = Counts::default();
    for (_, line) in sampled::lines(look, 0..look.len()).filter(|(_, line)| !is_skipped(line)).take(LOOK_LINES) {
        match Line::read(line, counts.headers > 0) {
            // Below a name and a number, any indented text that starts like an address could be a frame.
            Some(Line::Frame(frame)) if counts.bare < counts.headers || is_clear_frame(line, &frame) => {
                counts.frames += 1;
            }
            Some(Line::Frame(_)) => counts.others += 1,
            Some(Line::Header(header)) => {
                counts.headers += 1;
                counts.bare += usize::from(header.is_bare());
                counts.frames += usize::from(FrameLine::read(header.rest).is_some());
            }
            Some(Line::Place(_) | Line::Record) => {}
            None if counts.headers == 0 => return None,
            None => counts.others += 1,
        }
    }
    Some(counts)
}

/// True for an indented frame with a library or an address of usual length.
fn is_clear_frame(line: &[u8], frame: &FrameLine<'_>) -> bool {
    let address = line.trim_ascii().split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_address = address.len() >= 6 && address.iter().any(u8::is_ascii_digit);
    line.first().is_some_and(u8::is_ascii_whitespace) && (is_address || !frame.library.is_empty())
}

/// Returns true if a text starts with samples: the first line is a header, a frame follows, and most lines are headers
/// or frames.
pub(super) fn is_perf_script(text: &[u8]) -> bool {
    is_text(text)
        && count(text).is_some_and(|counts| counts.frames > 0 && counts.headers + counts.frames > counts.others)
}

/// Returns true if a text consists of samples or trace points without stacks.
pub(crate) fn lacks_stacks(text: &[u8]) -> bool {
    count(text).is_some_and(|counts| counts.headers > counts.others + counts.bare && counts.frames == 0)
}

/// Returns true if a line is blank or a comment.
pub(super) fn is_skipped(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
        || (line.first() == Some(&b'#') && Header::read(line).is_none_or(|header| header.is_bare()))
}
