//! For how long a browser may keep a response, and how likely it still has it at the next visit.

use super::http_date::parse_http_date;
use crate::requests::Headers;

/// Directives that forbid to use a kept response.
const FORBIDDING: [&str; 4] = ["must-revalidate", "no-cache", "no-store", "private"];
/// Hours after which a tenth more of all visitors have returned, from none to all of them.
const RETURN_HOURS: [f64; 11] = [0.0, 0.2, 1.0, 3.0, 8.0, 12.0, 24.0, 48.0, 72.0, 168.0, 8_760.0];
/// Longer lifetimes are long enough, in seconds.
const LONG: i64 = 30 * 24 * 3600;

/// The lifetime of a response in seconds; `None` if its lifetime is no mistake: it must not be kept, it has expired, or
/// the lifetime is long or unknown.
pub(super) fn short_lifetime(headers: &Headers) -> Option<i64> {
    let control = headers.get("cache-control");
    let directives = directives(control.as_deref().unwrap_or_default());
    let has = |name: &str| directives.iter().any(|(own, _)| own == name);
    let asks_not_to = control.is_none() && headers.get("pragma").is_some_and(|value| value.contains("no-cache"));
    if asks_not_to || FORBIDDING.iter().any(|name| has(name)) {
        return None;
    }
    let age = directives.iter().find(|(name, _)| name == "max-age").and_then(|(_, value)| value.parse::<i64>().ok());
    let given = match (age, headers.get("expires")) {
        (Some(age), _) => Some(age),
        (None, Some(expires)) => Some(expires_after(&expires, headers.get("date").as_deref())?),
        (None, None) => None,
    };
    if given.is_some_and(|given| given <= 0 || given >= LONG) {
        return None;
    }
    Some(given.unwrap_or(0))
}

/// Seconds from the date of a response to its end; 0 if the end is no date, and `None` if the date is unknown.
fn expires_after(expires: &str, date: Option<&str>) -> Option<i64> {
    let Some(end) = parse_http_date(expires) else { return Some(0) };
    Some(end - parse_http_date(date?)?)
}

/// The directives of a `cache-control` header, in small letters.
fn directives(text: &str) -> Vec<(String, String)> {
    let directive = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (name.trim().to_ascii_lowercase(), value.trim().trim_matches('"').to_owned())
    };
    text.split(',').map(directive).collect()
}

/// The share of visitors that return while a response with a lifetime in seconds is kept.
#[expect(clippy::cast_precision_loss, reason = "a few days in seconds, and ten steps")]
pub(super) fn hit_probability(lifetime: i64) -> f64 {
    let hours = lifetime as f64 / 3600.0;
    let after = RETURN_HOURS.partition_point(|own| *own <= hours);
    match (after.checked_sub(1).map(|at| RETURN_HOURS[at]), RETURN_HOURS.get(after)) {
        (Some(before), Some(next)) => (after as f64 - 1.0 + (hours - before) / (next - before)) / 10.0,
        (None, _) => 0.0,
        (_, None) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::hit_probability;

    #[test]
    fn half_of_all_visitors_return_within_twelve_hours() {
        for (seconds, share) in [
            (-5, 0.0),
            (0, 0.0),
            (360, 0.05),
            (720, 0.1),
            (12 * 3600, 0.5),
            (18 * 3600, 0.55),
            (8_760 * 3600, 1.0),
            (i64::MAX, 1.0),
        ] {
            assert!((hit_probability(seconds) - share).abs() < 1e-9, "{seconds}");
        }
    }
}
