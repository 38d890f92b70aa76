//! Times, and numbers as text for people: durations, sizes, counts, percentages, the natural order of names.
//!
//! [`Ns`] is a point in time or a duration in nanoseconds on the recording's own clock. [`DisplayClock`] turns such a time into the time
//! that people see, relative to the time origin they chose; formatters take it as a value.

mod decimal;
mod display_clock;
pub mod natural;
mod quantity;
mod time;

pub use decimal::Decimal;
pub use display_clock::DisplayClock;
pub use quantity::{
    Precision, format_bytes, format_count, format_counted, format_duration_column, format_duration_exact,
    format_duration_ms, format_duration_ns, format_number, format_time, write_bytes, write_duration_ms, write_integer,
    write_number, write_percent, write_unit,
};
pub use time::{Ns, TimeRange, Unit, parse_decimal};
