//! Response headers, read when an insight asks for them.

use flowline_profile::{MarkerId, Profile, Value};

/// The value of a response header, given the marker of the response and the name in small letters. Values of several
/// headers with this name are joined.
pub(crate) fn header(profile: &Profile, response: MarkerId, name: &str) -> Option<String> {
    Headers::read(profile, response)?.get(name)
}

/// The response headers of a request.
#[derive(Clone, Debug)]
pub(crate) struct Headers(Vec<Value>);

impl Headers {
    /// The headers that a response states; `None` if they were not recorded, which older versions state as an empty list.
    pub(crate) fn read(profile: &Profile, response: MarkerId) -> Option<Self> {
        let (thread, local) = profile.locate(response)?;
        let payload = profile.payload(thread, local);
        let Some(Value::List(headers)) = payload.get("data")?.get("headers") else { return None };
        (!headers.is_empty()).then(|| Self(headers.clone()))
    }

    /// The value of a header, given its name in small letters. Values of several headers with this name are joined.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        let own = self.0.iter().filter(|header| {
            header.get("name").and_then(Value::as_str).is_some_and(|own| own.eq_ignore_ascii_case(name))
        });
        let values: Vec<&str> = own.filter_map(|header| header.get("value")?.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}
