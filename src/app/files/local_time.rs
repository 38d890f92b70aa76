//! The offset of local time, read from the system's time zone file: `/etc/localtime`, or the file that `TZ` names.
//! Local time is UTC if there is none, as on Windows.
//!
//! The format is TZif (RFC 9636): transitions up to some year, then a rule in the syntax of the POSIX variable `TZ`.

use flowline_format::{date_of_days, days_of_date};

/// Maximum size of a time zone file in bytes.
const MAX_BYTES: usize = 1 << 18;
/// Length of a header, and seconds of a day.
const HEADER: usize = 44;
const DAY: i64 = 86_400;

/// Seconds to add to a time in seconds since 1970 to get local time.
pub(crate) fn local_offset(at: i64) -> i64 {
    let zone = std::env::var("TZ").ok().map(|zone| zone.trim_start_matches(':').to_owned());
    let path = match zone.as_deref() {
        None | Some("") => "/etc/localtime".into(),
        Some(zone) if zone.starts_with('/') => std::path::PathBuf::from(zone),
        Some(zone) => std::path::Path::new("/usr/share/zoneinfo").join(zone),
    };
    let text = std::fs::read(path).ok().filter(|text| text.len() <= MAX_BYTES);
    text.and_then(|text| offset_in(&text, at)).or_else(|| rule_offset(&zone?, at)).unwrap_or(0)
}

/// The offset that a time zone file states for a time; `None` if it is damaged.
fn offset_in(text: &[u8], at: i64) -> Option<i64> {
    let (first, is_long) = block(text, 4)?;
    let text = if is_long { text.get(first..)? } else { text };
    let width = if is_long { 8 } else { 4 };
    let (end, _) = block(text, width)?;
    let [_, _, _, times, types, _] = counts(text)?;
    let times_at = |number: usize| -> Option<i64> {
        let bytes = text.get(HEADER + number * width..HEADER + (number + 1) * width)?;
        let extended = if bytes[0] >= 0x80 { -1_i64 } else { 0 };
        Some(bytes.iter().fold(extended, |value, byte| value << 8 | i64::from(*byte)))
    };
    let before = (0..times).take_while(|number| times_at(*number).is_some_and(|time| time <= at)).count();
    let footer =
        text.get(end + 1..).and_then(|rest| std::str::from_utf8(rest.split(|byte| *byte == b'\n').next()?).ok());
    if before == times
        && let Some(offset) = footer.and_then(|rule| rule_offset(rule, at))
    {
        return Some(offset);
    }
    let kinds = HEADER + times * width;
    let kind = if before == 0 { 0 } else { usize::from(*text.get(kinds + before - 1)?) };
    let place = kinds + times + kind * 6;
    let bytes: [u8; 4] = text.get(place..place + 4)?.try_into().ok()?;
    (kind < types).then(|| i64::from(i32::from_be_bytes(bytes)))
}

/// The six counts of a header.
fn counts(text: &[u8]) -> Option<[usize; 6]> {
    let count = |number: usize| {
        let bytes: [u8; 4] = text.get(20 + number * 4..24 + number * 4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok().filter(|count| *count < MAX_BYTES)
    };
    Some([count(0)?, count(1)?, count(2)?, count(3)?, count(4)?, count(5)?])
}

/// The end of a block with times of `width` bytes, and true if a block with wider ones follows.
fn block(text: &[u8], width: usize) -> Option<(usize, bool)> {
    let [universal, standard, leaps, times, types, letters] = counts(text.strip_prefix(b"TZif").map(|_| text)?)?;
    let end = HEADER + times * (width + 1) + types * 6 + letters + leaps * (width + 4) + standard + universal;
    (end <= text.len()).then(|| (end, *text.get(4).unwrap_or(&0) >= b'2'))
}

/// The offset of a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`; `None` if it has another form.
fn rule_offset(rule: &str, at: i64) -> Option<i64> {
    let (standard, rest) = named_offset(rule)?;
    let standard = -standard?;
    if rest.is_empty() {
        return Some(standard);
    }
    let (zone, changes) = rest.split_once(',')?;
    let (summer, _) = named_offset(zone)?;
    let summer = summer.map_or(standard + 3_600, |offset| -offset);
    let (start, end) = changes.split_once(',')?;
    let (year, ..) = date_of_days((at + standard).div_euclid(DAY));
    // Each change is stated in the local time before it.
    let (start, end) = (change(start, year)? - standard, change(end, year)? - summer);
    let is_summer = if start <= end { (start..end).contains(&at) } else { !(end..start).contains(&at) };
    Some(if is_summer { summer } else { standard })
}

/// Reads a name and the offset after it, if there is one; returns the rest.
fn named_offset(text: &str) -> Option<(Option<i64>, &str)> {
    let after = match text.strip_prefix('<') {
        Some(quoted) => quoted.split_once('>')?.1,
        None => text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()),
    };
    if after.len() == text.len() {
        return None;
    }
    let end = after.find(|letter: char| !matches!(letter, '0'..='9' | '+' | '-' | ':')).unwrap_or(after.len());
    let (offset, rest) = after.split_at(end);
    if offset.is_empty() { Some((None, rest)) } else { Some((Some(time_of(offset)?), rest)) }
}

/// Seconds of a time such as `-1`, `5:30` or `02:00:00`.
fn time_of(text: &str) -> Option<i64> {
    let digits = text.trim_start_matches(['+', '-']);
    let mut parts = digits.split(':').map(|part| part.parse::<i64>().ok().filter(|part| *part < 1_000));
    let mut part = || parts.next().map_or(Some(0), |part| part);
    let seconds = part()? * 3_600 + part()? * 60 + part()?;
    Some(if text.starts_with('-') { -seconds } else { seconds })
}

/// Local time of a change such as `M10.5.0/3` in a year: month, week (5 is the last one), day of the week, time.
fn change(text: &str, year: i64) -> Option<i64> {
    let (day, time) = text.split_once('/').map_or((text, "2"), |(day, time)| (day, time));
    let mut parts = day.strip_prefix('M')?.split('.').map(|part| part.parse::<i64>().ok());
    let (month, week, weekday) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1..=12).contains(&month) || !(1..=5).contains(&week) || !(0..=6).contains(&weekday) {
        return None;
    }
    let first = days_of_date(year, month, 1);
    // 1970-01-01 was a Thursday.
    let to_weekday = (weekday - (first + 4)).rem_euclid(7);
    let next = if month == 12 { days_of_date(year + 1, 1, 1) } else { days_of_date(year, month + 1, 1) };
    let wanted = first + to_weekday + (week - 1) * 7;
    let day = if wanted >= next { wanted - 7 } else { wanted };
    Some(day * DAY + time_of(time)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(year: i64, month: i64, day: i64, hour: i64) -> i64 {
        days_of_date(year, month, day) * DAY + hour * 3_600
    }

    #[test]
    fn rules_state_summer_and_winter() {
        let berlin = "CET-1CEST,M3.5.0,M10.5.0/3";
        for (at, offset) in [
            (seconds(2026, 1, 1, 0), 3_600),
            (seconds(2026, 3, 29, 0), 3_600),
            (seconds(2026, 3, 29, 1), 7_200),
            (seconds(2026, 10, 25, 0), 7_200),
            (seconds(2026, 10, 25, 1), 3_600),
        ] {
            assert_eq!(rule_offset(berlin, at), Some(offset), "{at}");
        }
        let sydney = "AEST-10AEDT,M10.1.0,M4.1.0/3";
        assert_eq!(rule_offset(sydney, seconds(2026, 1, 1, 0)), Some(39_600));
        assert_eq!(rule_offset(sydney, seconds(2026, 7, 1, 0)), Some(36_000));
        assert_eq!(rule_offset("<+0530>-5:30", 0), Some(19_800));
        assert_eq!(rule_offset("EST5", 0), Some(-18_000));
        for damaged in ["", "CET", "-1", "A1B,M3", "A1B,M13.5.0,M1.1.1", "A1B,J60,J300", "<A", "A99999"] {
            assert_eq!(rule_offset(damaged, 0), None, "{damaged}");
        }
    }

    /// A file with one transition to +2 h at 1,000 s, and a rule for later times.
    fn file(rule: &str) -> Vec<u8> {
        let header = |times: u32, types: u32, letters: u32| {
            let mut text = b"TZif2".to_vec();
            text.extend([0; 15]);
            [0, 0, 0, times, types, letters].iter().for_each(|count| text.extend(count.to_be_bytes()));
            text
        };
        let mut text = header(0, 1, 1);
        text.extend([0; 7]);
        text.extend(header(1, 2, 4));
        text.extend(1_000_i64.to_be_bytes());
        text.push(1);
        for offset in [3_600_i32, 7_200] {
            text.extend(offset.to_be_bytes());
            text.extend([0, 0]);
        }
        text.extend(b"ABC\0\n");
        text.extend(rule.as_bytes());
        text.push(b'\n');
        text
    }

    #[test]
    fn files_state_transitions_and_damage_is_harmless() {
        assert_eq!(offset_in(&file(""), 999), Some(3_600));
        assert_eq!(offset_in(&file(""), 1_000), Some(7_200));
        assert_eq!(offset_in(&file("X-3"), 2_000), Some(10_800));
        let whole = file("X-3");
        for end in 0..whole.len() {
            let _any = offset_in(&whole[..end], 2_000);
            let mut damaged = whole.clone();
            damaged[end] = 0xFF;
            let _any = offset_in(&damaged, 2_000);
        }
        assert_eq!(offset_in(b"not a zone", 0), None);
    }
}
