//! Finds the parts of a trace in which no event's text can contain a search text, without writing any text.
//!
//! The text of a track event consists of strings of its packet, interned strings of its generation, names of tracks and
//! fields, numbers, and fixed words. A search text without characters that separate these pieces is inside one of them.
//! Strings are copied without changes except escapes, and a search text has no characters that are escaped; only text
//! that is declared as JSON may contain escapes of other characters (`\u0061`). Other packets than track events and
//! descriptions always count as parts that may contain it, because their texts are made of words of their own.

use std::ops::Range;

use super::packet::{self, kind};
use super::reader::TraceState;
use super::sequence::Sequence;
use flowline_profile::text::Wanted;

/// Words that are written for any track event: keys and values of `text_output`, `args` and `messages`, and names of
/// tracks without a name.
const WORDS: &[u8] = b"ph ts dur pid tid id id2 local global track scope bind_id flow_in flow_out use_async_tts true false null bp tts \
    tdur s cat name source_location flow_ids terminating_flow_ids cname unit sf args value src_file src_func src_line src file func line \
    function_name file_name line_number function correlation_id log message body source level prio log_message field \
    bytes nan infinity counter cpus stack unknown name mojo_interface_method mapping rel_pc callstack_weight";

/// Decides for each part whether it may contain a search text.
pub(super) struct TextFilter<'a> {
    trace: &'a [u8],
    wanted: Wanted<'a>,
    /// False if any part may contain the text.
    is_useful: bool,
    /// The parts of the trace with an interned string that contains the text, ascending and without overlap.
    interned: Vec<Range<usize>>,
}

/// True if a search text is inside one piece of an event's text, and not a number.
fn is_inside_pieces(text: &[u8]) -> bool {
    // Numbers and ids contain digits, signs, and letters of hexadecimal digits and exponents.
    let is_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'x' | b'.' | b'-' | b'+');
    let is_inner = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.' | b'-');
    text.iter().all(is_inner) && !text.iter().all(is_number)
}

/// True if bytes contain an escape of any character.
fn has_escapes(bytes: &[u8]) -> bool {
    const DIGITS: usize = 4;
    memchr::memmem::find_iter(bytes, b"\\u").any(|at| {
        let digits = bytes.get(at + 2..at + 2 + DIGITS);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// True if bytes contain the text.
fn holds(wanted: &Wanted<'_>, bytes: &[u8]) -> bool {
    let mut found = false;
    wanted.each(bytes, |_| found = true);
    found
}

impl Sequence {
    /// True for any of the interned strings that texts of events contain.
    fn any_string(&self, is_wanted: &impl Fn(&str) -> bool) -> bool {
        let tables = [
            &self.categories,
            &self.names,
            &self.annotation_names,
            &self.annotation_texts,
            &self.type_names,
            &self.log_messages,
            &self.correlations,
            &self.histogram_names,
        ];
        tables.into_iter().any(|table| table.values().any(|text| is_wanted(text)))
            || self.stacks.any_text(is_wanted)
            || self.locations.values().any(|location| is_wanted(&location.file) || is_wanted(&location.function))
    }
}

impl<'a> TextFilter<'a> {
    pub(super) fn new(state: &TraceState, trace: &'a [u8], wanted: Wanted<'a>) -> Self {
        let is_wanted = |text: &str| holds(&wanted, text.as_bytes());
        let is_useful = is_inside_pieces(wanted.bytes())
            && !holds(&wanted, WORDS)
            && !state.facts.tracks.any_text(&is_wanted)
            && !state.facts.machines.iter().any(|facts| facts.tracks.any_text(&is_wanted))
            && !state.facts.schema.any_name(&is_wanted);
        let mut interned =
            if is_useful { state.interned_in(&|sequence| sequence.any_string(&is_wanted)) } else { Vec::new() };
        interned.sort_unstable_by_key(|range| range.start);
        interned.dedup_by(|next, range| {
            let overlaps = next.start <= range.end;
            range.end = if overlaps { range.end.max(next.end) } else { range.end };
            overlaps
        });
        Self { trace, wanted, is_useful, interned }
    }

    /// False if no text of an event that begins in the part contains the search text.
    pub(super) fn may_contain(&self, part: Range<u64>) -> bool {
        let [start, end] = [part.start, part.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        let Some(bytes) = self.trace.get(start..end.min(self.trace.len())).filter(|_| self.is_useful) else {
            return true;
        };
        let after = self.interned.partition_point(|range| range.start < end);
        let is_interned = self.interned[..after].last().is_some_and(|range| start < range.end);
        is_interned || holds(&self.wanted, bytes) || has_escapes(bytes) || self.has_other_packets(start..end)
    }

    /// True if the part has packets whose texts are made of other words.
    fn has_other_packets(&self, part: Range<usize>) -> bool {
        let ended = packet::each_in(self.trace, part, &mut |packet, _| {
            matches!(
                packet.data.map(|(number, _)| number),
                None | Some(
                    kind::TRACK_EVENT
                        | kind::CLOCK_SNAPSHOT
                        | kind::TRACK_DESCRIPTOR
                        | kind::PROCESS_DESCRIPTOR
                        | kind::THREAD_DESCRIPTOR
                        | kind::EXTENSION_DESCRIPTOR
                        | kind::PROCESS_TREE
                )
            )
        });
        ended.is_stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_separators_are_made_by_writing() {
        for text in ["12", "0x1f", "-1.5e", "fade", "a b", "a\"", "a,b", "a/b", "\u{e9}"] {
            assert!(!is_inside_pieces(text.as_bytes()), "{text}");
        }
        for text in ["layout", "v8.compile", "do_work", "x-http"] {
            assert!(is_inside_pieces(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn escapes_are_found_among_binary_data() {
        assert!(has_escapes(b"\x12\x5c\x00 \\u0061") && !has_escapes(b"\\u12 \\n \x5cu") && !has_escapes(b"\\u00g1"));
    }
}
