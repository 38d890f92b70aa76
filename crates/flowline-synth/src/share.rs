//! Exact integer shares of any size.

/// Returns `total * part / whole`, rounded down, without overflow.
pub(super) fn share(total: u64, part: u64, whole: u64) -> u64 {
    u64::try_from(u128::from(total) * u128::from(part) / u128::from(whole)).unwrap_or(u64::MAX)
}
