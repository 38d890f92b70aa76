//! Sentinels for missing values in the columns of raw tables.

use flowline_profile::Ns;

/// No valid value, in the integer columns.
pub(in crate::firefox) const NONE: u32 = u32::MAX;
/// No valid time.
pub(in crate::firefox) const NO_TIME: Ns = Ns(i64::MIN);
/// No payload type.
pub(in crate::firefox) const NO_TYPE: u16 = u16::MAX;
