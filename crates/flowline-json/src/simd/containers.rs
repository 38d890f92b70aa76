//! Finds the end of objects and arrays. Compares 32 bytes at a time if the processor supports it (`avx2`), otherwise
//! 16.

use super::bracket_scan::{BLOCK, ContainerEnd, Match, Scan, block_at};
use super::{avx2, lane::Lane};

/// The end of the object or array that starts at `start`. Counts brackets without matching their kinds.
pub(in super::super) fn container_end(text: &[u8], start: usize) -> ContainerEnd {
    avx2::container_end(text, start).unwrap_or_else(|| portable(text, start))
}

/// Portable implementation of [`container_end`].
fn portable(text: &[u8], start: usize) -> ContainerEnd {
    let mut scan = Scan::new(start);
    loop {
        let mut padded = [b' '; BLOCK];
        let Some(block) = block_at(text, scan.at, &mut padded) else { return ContainerEnd::NotFound };
        let block = Block::load(block);
        let backslashes = block.equal(b'\\');
        let quotes = scan.quotes(block.equal(b'"'), backslashes);
        let lowered = block.lowered();
        let found =
            Match { backslashes, parity: parity(quotes), opens: lowered.equal(b'{'), closes: lowered.equal(b'}') };
        if let Some(end) = scan.step(&found) {
            return end;
        }
    }
}

/// Sixty-four bytes of text.
#[derive(Clone, Copy)]
struct Block([Lane; 4]);

impl Block {
    #[inline]
    fn load(bytes: &[u8; BLOCK]) -> Self {
        let mut lanes = bytes.as_chunks::<16>().0.iter().map(Lane::load);
        let mut lane = || lanes.next().unwrap_or_else(|| Lane::load(&[0; 16]));
        Self([lane(), lane(), lane(), lane()])
    }

    #[inline]
    fn equal(&self, byte: u8) -> u64 {
        let [a, b, c, d] = self.0.map(|lane| lane.equal(byte));
        a | b << 16 | c << 32 | d << 48
    }

    #[inline]
    fn lowered(&self) -> Self {
        Self(self.0.map(Lane::lowered))
    }
}

/// Bit n is the parity of bits 0 to n.
#[inline]
const fn parity(mut bits: u64) -> u64 {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^ bits << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference implementation: one byte at a time.
    fn naive(text: &[u8]) -> Option<usize> {
        let (mut depth, mut at) = (0, 0);
        while at < text.len() {
            match text[at] {
                b'"' => {
                    at += 1;
                    while *text.get(at)? != b'"' {
                        at += if text[at] == b'\\' { 2 } else { 1 };
                    }
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Checks the processor-specific and the portable implementation.
    fn check(text: &[u8], expected: ContainerEnd) {
        assert_eq!(portable(text, 0), expected, "{}", text.escape_ascii());
        assert_eq!(container_end(text, 0), expected, "{}", text.escape_ascii());
    }

    #[test]
    fn runs_of_backslashes_escape_across_blocks() {
        for before in 0..140 {
            for backslashes in 0..140 {
                let text = [b"[\"", &*vec![b'a'; before], &*vec![b'\\'; backslashes], b"\"]"].concat();
                // After an odd number of backslashes, the quote is part of the string, and the text ends inside it.
                let is_closed = backslashes % 2 == 0;
                check(&text, if is_closed { ContainerEnd::At(text.len()) } else { ContainerEnd::NotFound });
            }
        }
    }

    #[test]
    fn container_ends_agree_with_a_bytewise_scan() {
        let pieces: [&[u8]; 12] = [
            b"{",
            b"}",
            b"[",
            b"]",
            b"\"\"",
            b"\"a{\"",
            b"\"\\\"]\"",
            b"\"\\\\\"",
            b",",
            b"1.5e3",
            b" ",
            b"\"\\\\\\\"}\"",
        ];
        let mut random = fastrand::Rng::with_seed(1);
        let (mut ends, mut cuts) = (0, 0);
        for _ in 0..20_000 {
            let mut text = b"{".to_vec();
            for _ in 0..random.usize(..90) {
                text.extend(pieces[random.usize(..pieces.len())]);
            }
            text.truncate(random.usize(1..=400));
            match naive(&text) {
                Some(end) => {
                    ends += 1;
                    check(&text, ContainerEnd::At(end));
                }
                None => {
                    cuts += 1;
                    check(&text, ContainerEnd::NotFound);
                }
            }
        }
        assert!(ends > 1_000 && cuts > 1_000, "{ends} {cuts}");
    }

    #[test]
    fn a_backslash_outside_strings_is_left_to_the_bytewise_scan() {
        check(br#"{\"a"}"#, ContainerEnd::Unknown);
    }
}
