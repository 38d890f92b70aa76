//! Finds the end of an object or array, block by block.
//!
//! Comparing a block of 64 bytes produces one bit per byte; 64-bit arithmetic on these bits finds strings and brackets.
//! Two techniques are from Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (2019): finding strings by the
//! parity of quotes, and finding escaped characters by a carry.

/// Block size in bytes, so that one bit per byte fits into a 64-bit word.
pub(super) const BLOCK: usize = 64;

/// Result of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum ContainerEnd {
    /// The container ends right before this offset.
    At(usize),
    /// The text ends first.
    NotFound,
    /// A backslash outside a string; the bytewise scan must decide.
    Unknown,
}

/// The next block of the text, padded with spaces; `None` at the end of the text.
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

/// Contents of a block, as one bit per byte.
pub(super) struct Match {
    pub(super) backslashes: u64,
    /// Parity of the number of quotes up to each byte.
    pub(super) parity: u64,
    pub(super) opens: u64,
    pub(super) closes: u64,
}

/// State of a scan for the end of a container.
pub(super) struct Scan {
    /// The offset of the next block.
    pub(super) at: usize,
    /// Number of open containers.
    depth: u32,
    /// All bits set if the next block begins inside a string.
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

    /// The escaped characters: those after an odd number of backslashes. Adding a run of backslashes to its first bit
    /// carries to the bit after the run. Runs that start at even and at odd bits are handled separately, so the parity
    /// of that bit position reveals the parity of the run's length.
    #[inline(always)]
    const fn escaped(&mut self, backslashes: u64) -> u64 {
        // An escaped backslash does not escape the next character.
        let backslashes = backslashes & !self.escapes_next;
        let after = backslashes << 1 | self.escapes_next;
        let odd_starts = backslashes & !EVEN & !after;
        let (even_runs, carry) = odd_starts.overflowing_add(backslashes);
        self.escapes_next = carry as u64;
        (EVEN ^ even_runs << 1) & after
    }

    /// Counts the brackets of the next block outside of strings. Returns the result once the scan is complete.
    #[inline(always)]
    pub(super) fn step(&mut self, found: &Match) -> Option<ContainerEnd> {
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
                // Containers rarely end here, so the branch predictor gets this right. It could not predict the kind of
                // each bracket.
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
