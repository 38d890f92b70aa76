//! Facts as people read them. Output states the end of a time, and where a function is in several numbers, of which some
//! count from 0; the window has the duration instead, and one location that counts from 1.

use flowline_insights::insights::{Fact, Facts, fact};

/// The facts of a group. The marker of a group leads to its process and thread.
pub(super) fn shown_facts(facts: &Facts) -> Facts {
    let moment = |wanted: &str| match fact(facts, wanted) {
        Some(Fact::Moment(time)) => Some(*time),
        _ => None,
    };
    let length = moment("start_ns").zip(moment("end_ns")).map(|(start, end)| end - start);
    let has_marker = facts.iter().any(|(_, fact)| matches!(fact, Fact::Marker(_)));
    let location = location(facts);
    let shown = |(key, own): &(&'static str, Fact)| match *key {
        "end_ns" if length.is_some() => length.map(|length| ("dur_ns", Fact::Duration(length))),
        "dur_ns" | "duration_ns" if length.is_some() => None,
        "pid" | "tid" if has_marker => None,
        "line" | "column" | "location" if location.is_some() => None,
        "url" if location.is_some() => location.clone().map(|location| ("location", Fact::Url(location))),
        key => Some((key, own.clone())),
    };
    facts.iter().filter_map(shown).collect()
}

/// Where a function is: its address, line and column, which count from 1.
fn location(facts: &Facts) -> Option<String> {
    let Some(Fact::Url(url)) = fact(facts, "url") else { return None };
    if let Some(Fact::Text(stated)) = fact(facts, "location")
        && !stated.is_empty()
    {
        return Some(stated.clone());
    }
    let number = |key: &str| match fact(facts, key) {
        Some(Fact::Count(number)) => Some(*number),
        _ => None,
    };
    let line = number("line")?;
    let column = number("column").map_or_else(String::new, |column| format!(":{column}"));
    Some(format!("{url}:{line}{column}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::{MarkerId, Ns};

    fn keys(facts: &Facts) -> Vec<&'static str> {
        facts.iter().map(|(key, _)| *key).collect()
    }

    #[test]
    fn times_have_durations_and_markers_name_their_threads() {
        let task = vec![
            ("start_ns", Fact::Moment(Ns(1_000))),
            ("end_ns", Fact::Moment(Ns(4_000))),
            ("duration_ns", Fact::Duration(Ns(3_000))),
            ("pid", Fact::text("7")),
            ("marker", Fact::Marker(MarkerId(1))),
        ];
        let shown = shown_facts(&task);
        assert_eq!(keys(&shown), ["start_ns", "dur_ns", "marker"]);
        assert_eq!(fact(&shown, "dur_ns"), Some(&Fact::Duration(Ns(3_000))));
        assert_eq!(keys(&shown_facts(&vec![("pid", Fact::text("7"))])), ["pid"], "nothing else names the process");
    }

    #[test]
    fn functions_have_one_location() {
        let function = vec![
            ("name", Fact::text("readBack")),
            ("url", Fact::Url("http://a.test/app.js".into())),
            ("line", Fact::Count(2)),
            ("column", Fact::Count(141)),
            ("location", Fact::text("http://a.test/app.js:3:142")),
        ];
        let shown = shown_facts(&function);
        assert_eq!(keys(&shown), ["name", "location"]);
        assert_eq!(fact(&shown, "location"), Some(&Fact::Url("http://a.test/app.js:3:142".into())));
        // Without a stated location, the numbers count from 1.
        let shown = shown_facts(&function[..4].to_vec());
        assert_eq!(fact(&shown, "location"), Some(&Fact::Url("http://a.test/app.js:2:141".into())));
        assert_eq!(keys(&shown_facts(&function[..2].to_vec())), ["name", "url"]);
    }
}
