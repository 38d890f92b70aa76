//! Times, and numbers as text for people: durations, sizes, counts, percentages, the natural order of names.
//!
//! [`Ns`] is a point in time or a duration in nanoseconds on the recording's own clock. [`DisplayClock`] turns such a time into the time
//! that people see, relative to the time origin they chose; formatters take it as a value.
//!
//! Every quantity has one text: a space before the unit (none before `%`), comma groups, a true minus sign, a fixed number of decimals per unit.

mod calendar;
mod decimal;
mod display_clock;
mod duration;
mod elision;
mod moment;
pub mod natural;
mod number;
mod parts;
mod size;
mod symbol;
mod time;

pub use calendar::{date_of_days, days_of_date, format_when};
pub use decimal::Decimal;
pub use display_clock::{AxisUnit, DisplayClock};
pub use duration::{
    DurationUnit, format_duration_full, format_duration_ms, format_duration_ns, format_whole_ms, write_duration_ms,
};
pub use elision::{is_long_symbol, is_place, shorten_middle, shortens_in_middle};
pub use moment::{format_clock, format_tick, format_time, format_time_column, format_time_exact};
pub use number::{
    format_count, format_count_short, format_counted, format_fixed, format_integer, format_number, format_percent,
    write_fixed, write_integer, write_number, write_percent,
};
pub use parts::format_parts;
pub use size::{SizeUnit, format_bytes, format_bytes_exact, format_rate, write_bytes};
pub use symbol::{is_cpp_symbol, shorten_symbol};
pub use time::{Ns, RESTS_PER_NANO, TimeRange, Unit, parse_decimal, rounding_rest};
