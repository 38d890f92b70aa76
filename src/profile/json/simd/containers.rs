//! Where objects and arrays end.
//!
//! Comparing a block of 64 bytes gives one bit per byte; 64-bit arithmetic on these bits finds strings and brackets. Finding
//! strings by the parity of quotes is from Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (2019), and so is
//! finding escaped characters by a carry. Blocks are compared 32 bytes at a time where the processor can (`avx2`).

use super::Lane;
use super::avx2;

/// Bytes of a block: one bit per byte fits a 64-bit word.
pub(super) const BLOCK: usize = 64;

/// Result of [`container_end`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum ContainerEnd {
    /// The container ends before this offset.
    At(usize),
    /// The text ends first.
    NotFound,
    /// A backslash outside strings: the bytewise scan has to decide.
    Unknown,
}

/// The end of the object or array that begins at `start`. Brackets are counted, not matched by kind.
pub(in super::super) fn container_end(text: &[u8], start: usize) -> ContainerEnd {
    avx2::container_end(text, start).unwrap_or_else(|| portable(text, start))
}

/// [`container_end`] for every processor.
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
            Found { backslashes, parity: parity(quotes), opens: lowered.equal(b'{'), closes: lowered.equal(b'}') };
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

/// The next block of the text, which is continued with spaces; `None` at its end.
#[inline(always)]
pub(super) fn block_at<'t>(text: &'t [u8], at: usize, padded: &'t mut [u8; BLOCK]) -> Option<&'t [u8; BLOCK]> {
    let rest = text.get(at..).unwrap_or_default();
    if let Some(block) = rest.first_chunk() {
        return Some(block);
    }
    if rest.is_empty() {
        return None;
    }
    padded[..rest.len()].copy_from_slice(rest);
    Some(padded)
}

/// What a block contains: a bit for each byte.
pub(super) struct Found {
    pub(super) backslashes: u64,
    /// The parity of the quotes up to each byte.
    pub(super) parity: u64,
    pub(super) opens: u64,
    pub(super) closes: u64,
}

/// A scan for the end of a container.
pub(super) struct Scan {
    /// The offset of the next block.
    pub(super) at: usize,
    /// Containers that are open.
    depth: u32,
    /// All bits if the next block begins inside a string.
    inside: u64,
    /// 1 if the first character of the next block is escaped.
    escapes_next: u64,
}

/// Bits 0, 2, 4, ...
const EVEN: u64 = 0x5555_5555_5555_5555;

impl Scan {
    #[inline(always)]
    pub(super) const fn new(start: usize) -> Self {
        Self { at: start, depth: 0, inside: 0, escapes_next: 0 }
    }

    /// The quotes that begin or end strings.
    #[inline(always)]
    pub(super) const fn quotes(&mut self, quotes: u64, backslashes: u64) -> u64 {
        if backslashes | self.escapes_next == 0 { quotes } else { quotes & !self.escaped(backslashes) }
    }

    /// The escaped characters: those after an odd number of backslashes. Adding a run of backslashes to its first bit carries
    /// to the bit after the run; whether that is odd tells whether the run's length is, because runs that begin at even and at
    /// odd bits are looked at apart.
    #[inline(always)]
    const fn escaped(&mut self, backslashes: u64) -> u64 {
        // A backslash that is itself escaped escapes nothing.
        let backslashes = backslashes & !self.escapes_next;
        let after = backslashes << 1 | self.escapes_next;
        let odd_starts = backslashes & !EVEN & !after;
        let (even_runs, carry) = odd_starts.overflowing_add(backslashes);
        self.escapes_next = carry as u64;
        (EVEN ^ even_runs << 1) & after
    }

    /// Counts the brackets of the next block outside of strings; returns the result of the scan at its end.
    #[inline(always)]
    pub(super) fn step(&mut self, found: &Found) -> Option<ContainerEnd> {
        let strings = found.parity ^ self.inside;
        if found.backslashes & !strings != 0 {
            return Some(ContainerEnd::Unknown);
        }
        self.inside = 0_u64.wrapping_sub(strings >> 63);
        let (opens, closes) = (found.opens & !strings, found.closes & !strings);
        let count = closes.count_ones();
        if count >= self.depth {
            let (mut left, mut closed) = (closes, 0);
            while left != 0 {
                let bit = left & left.wrapping_neg();
                left ^= bit;
                closed += 1;
                // Whether a container ends is rare, so the processor predicts it; what kind a bracket is, it could not.
                if self.depth + (opens & (bit - 1)).count_ones() == closed {
                    return Some(ContainerEnd::At(self.at + bit.trailing_zeros() as usize + 1));
                }
            }
        }
        self.depth = self.depth + opens.count_ones() - count;
        self.at += BLOCK;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference: one byte at a time.
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

    /// With all instructions that the processor has, and with those that all processors have.
    fn check(text: &[u8], expected: ContainerEnd) {
        assert_eq!(portable(text, 0), expected, "{}", text.escape_ascii());
        assert_eq!(container_end(text, 0), expected, "{}", text.escape_ascii());
    }

    #[test]
    fn runs_of_backslashes_escape_across_blocks() {
        for before in 0..140 {
            for backslashes in 0..140 {
                let text = [b"[\"", &*vec![b'a'; before], &*vec![b'\\'; backslashes], b"\"]"].concat();
                // After an odd number of them, the quote belongs to the string, and the text ends in it.
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
