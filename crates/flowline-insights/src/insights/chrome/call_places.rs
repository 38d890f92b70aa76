//! Functions as facts: their names and places.

use crate::insights::fact::{Fact, Facts};
use flowline_profile::{FuncId, Profile, Value};

/// A function: one of the samples, or one that only an event states.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// A function of the samples.
    Sampled(FuncId),
    /// A call frame of an event. Lines and columns count from 1.
    Stated(Stated),
}

/// A call frame of an event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stated {
    script: String,
    line: Option<i64>,
    column: Option<i64>,
    url: String,
    name: String,
}

impl Place {
    /// The call frame that an event states.
    pub(super) fn stated(frame: &Value) -> Option<Self> {
        let text = |key: &str| frame.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = |key: &str| frame.get(key).and_then(Value::as_i64);
        let own = Stated {
            script: frame.get("scriptId").map(Value::display_js).unwrap_or_default(),
            line: number("lineNumber"),
            column: number("columnNumber"),
            url: text("url"),
            name: text("functionName"),
        };
        (!own.url.is_empty() || !own.name.is_empty()).then_some(Self::Stated(own))
    }

    /// Its name.
    pub(super) fn name<'a>(&'a self, profile: &'a Profile) -> &'a str {
        match self {
            Self::Sampled(func) => profile.func_name(*func),
            Self::Stated(own) if own.name.is_empty() => "(anonymous)",
            Self::Stated(own) => &own.name,
        }
    }

    /// Its address with line and column, which count from 1.
    fn location(&self, profile: &Profile) -> String {
        match self {
            Self::Sampled(func) => profile.func_location(*func),
            Self::Stated(own) => {
                let numbers = [own.line, own.column].into_iter().map_while(|number| number);
                numbers.fold(own.url.clone(), |text, number| format!("{text}:{number}"))
            }
        }
    }
}

/// Name, address, line and column of a function.
pub(super) fn place_facts(profile: &Profile, func: FuncId) -> Facts {
    let own = &profile.stacks.funcs[func.index()];
    let place = profile.shown_place(own.line, own.column);
    let number = |number: Option<u32>| number.map(i64::from);
    let (line, column) = (number(place.map(|(line, _)| line)), number(place.and_then(|(_, column)| column)));
    facts(profile.func_name(func), profile.stacks.file(func), line, column)
}

/// The same for a function that may be unknown.
pub(super) fn place_facts_of(profile: &Profile, place: Option<&Place>) -> Facts {
    match place {
        None => facts("", "", None, None),
        Some(Place::Sampled(func)) => place_facts(profile, *func),
        Some(place @ Place::Stated(own)) => facts(place.name(profile), &own.url, own.line, own.column),
    }
}

/// The same with line and column counted from 0, as Chrome DevTools counts positions of calls; `location` counts from 1.
pub(super) fn position_facts(profile: &Profile, place: Option<&Place>) -> Facts {
    let mut facts = place_facts_of(profile, place);
    for (key, fact) in &mut facts {
        if let ("line" | "column", Fact::Count(number)) = (*key, fact) {
            *number = number.saturating_sub(1);
        }
    }
    facts.push(("location", place.map_or(Fact::Unknown, |place| Fact::text(&place.location(profile)))));
    facts
}

fn facts(name: &str, url: &str, line: Option<i64>, column: Option<i64>) -> Facts {
    vec![
        ("name", Fact::text(name)),
        ("url", if url.is_empty() { Fact::Unknown } else { Fact::Url(url.to_owned()) }),
        ("line", Fact::known(line, Fact::Count)),
        ("column", Fact::known(column, Fact::Count)),
    ]
}
