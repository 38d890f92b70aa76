//! Dates of HTTP headers, as seconds since 1970.

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A date in one of the three forms that HTTP allows: `Thu, 26 Nov 2026 09:48:39 GMT`, `Thursday, 26-Nov-26 09:48:39 GMT`,
/// `Thu Nov 26 09:48:39 2026`. All of them are in universal time.
pub(super) fn parse_http_date(text: &str) -> Option<i64> {
    let parts: Vec<&str> = text.split([' ', ',', '-']).filter(|part| !part.is_empty()).collect();
    let [_, rest @ ..] = &parts[..] else { return None };
    let (day, month, year, time) = match rest {
        [month, day, time, year] if month_of(month).is_some() => (day, month, year, time),
        [day, month, year, time, ..] => (day, month, year, time),
        _ => return None,
    };
    let day: i64 = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    let year: i64 = year.parse().ok().filter(|year| (0..=9999).contains(year))?;
    let year = match year {
        0..70 => year + 2000,
        70..100 => year + 1900,
        _ => year,
    };
    let mut time = time.split(':').map(|part| part.parse::<i64>().ok().filter(|part| (0..=60).contains(part)));
    let (hours, minutes, seconds) = (time.next()??, time.next()??, time.next()??);
    let days = days_since_1970(year, month_of(month)?, day);
    Some(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
}

/// The number of a month, from 0.
fn month_of(name: &str) -> Option<i64> {
    let at = MONTHS.iter().position(|month| month.eq_ignore_ascii_case(name))?;
    i64::try_from(at).ok()
}

/// Days between the first day of 1970 and a day. Months count from 0.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that leap days are the last ones.
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let leap_days = year / 4 - year / 100 + year / 400;
    let days_before_month = (month * 153 + 2) / 5;
    year * 365 + leap_days + days_before_month + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::parse_http_date;

    #[test]
    fn dates_have_three_forms() {
        for (text, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(784_111_777)),
            ("Sun Nov  6 08:49:37 1994", Some(784_111_777)),
            ("Thu, 29 Feb 2024 23:59:59 GMT", Some(1_709_251_199)),
            ("Fri, 01 Mar 2024 00:00:00 GMT", Some(1_709_251_200)),
            ("0", None),
            ("-1", None),
            ("", None),
            ("Thu, 26 Nov 2026 99:48:39 GMT", None),
            ("Thu, 26 Foo 2026 09:48:39 GMT", None),
        ] {
            assert_eq!(parse_http_date(text), seconds, "{text}");
        }
    }
}
