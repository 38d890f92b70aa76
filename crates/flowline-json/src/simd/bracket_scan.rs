//! A scan for the end of an object or array, block by block.
//!
//! Comparing a block of 64 bytes gives one bit per byte; 64-bit arithmetic on these bits finds strings and brackets. Finding
//! strings by the parity of quotes is from Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (2019), and so is
//! finding escaped characters by a carry.

/// Bytes of a block: one bit per byte fits a 64-bit word.
pub(super) const BLOCK: usize = 64;

/// Result of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum ContainerEnd {
    /// The container ends before this offset.
    At(usize),
    /// The text ends first.
    NotFound,
    /// A backslash outside strings: the bytewise scan has to decide.
    Unknown,
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
