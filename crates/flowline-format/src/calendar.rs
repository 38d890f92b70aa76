//! Days of the calendar, and moments of the past as people name them: "Today 09:41", "Yesterday", "Nov 21".

/// Seconds of a day.
const DAY: i64 = 86_400;
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Year, month (1 to 12) and day of the month of a number of days since 1970-01-01, in the Gregorian calendar.
///
/// The algorithm counts years from March, so that the leap day is the last one of a year.
#[must_use]
pub const fn date_of_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + if month <= 2 { 1 } else { 0 }, month, day)
}

/// Days since 1970-01-01 of a date.
#[must_use]
pub const fn days_of_date(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A moment of the past, in seconds since 1970 in local time, as seen from `now`.
#[must_use]
pub fn format_when(then: i64, now: i64) -> String {
    let (day, today) = (then.div_euclid(DAY), now.div_euclid(DAY));
    let (year, month, day_of_month) = date_of_days(day);
    let month = usize::try_from(month - 1).ok().and_then(|month| MONTHS.get(month)).copied().unwrap_or_default();
    match today - day {
        0 => {
            let minutes = then.rem_euclid(DAY) / 60;
            format!("Today {:02}:{:02}", minutes / 60, minutes % 60)
        }
        1 => "Yesterday".to_owned(),
        _ if date_of_days(today).0 == year => format!("{month} {day_of_month}"),
        _ => format!("{month} {day_of_month}, {year}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_days_are_inverse() {
        assert_eq!((date_of_days(0), days_of_date(1970, 1, 1)), ((1970, 1, 1), 0));
        assert_eq!(date_of_days(20_784), (2026, 11, 27));
        assert_eq!(date_of_days(days_of_date(2024, 2, 29)), (2024, 2, 29));
        for days in (-800_000..800_000).step_by(97) {
            let (year, month, day) = date_of_days(days);
            assert_eq!(days_of_date(year, month, day), days);
        }
    }

    #[test]
    fn moments_are_named_by_their_distance() {
        let now = days_of_date(2026, 11, 27) * DAY + 10 * 3600;
        for (then, text) in [
            (now - 60, "Today 09:59"),
            (now - 10 * 3600, "Today 00:00"),
            (now - 10 * 3600 - 1, "Yesterday"),
            (days_of_date(2026, 11, 21) * DAY, "Nov 21"),
            (days_of_date(2025, 12, 31) * DAY, "Dec 31, 2025"),
        ] {
            assert_eq!(format_when(then, now), text);
        }
    }
}
