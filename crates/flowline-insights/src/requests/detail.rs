//! What the events of a request state beyond [`flowline_index::network::NetworkRequest`].

use flowline_profile::{Ns, Value};

/// At most this many addresses of a stack, and this many headers, are kept.
const MAX_KEPT: usize = 200;

/// Who caused a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Initiator {
    /// `parser`, `script`, `preload`, `other`; empty if unknown.
    pub(crate) kind: String,
    /// How a script asked for it: `fetch`, `xmlhttprequest`, `script`; empty if unknown.
    pub(crate) fetch_type: String,
    /// Its address; empty if unknown.
    pub(crate) url: String,
    /// The addresses of the scripts on the stack, innermost first.
    pub(crate) stack: Vec<String>,
}

/// More facts about a request. Texts are empty if the recording lacks them.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestDetail {
    /// Its id; the id of the navigation for documents.
    pub(crate) id: String,
    /// The frame that asked for it.
    pub(crate) frame: String,
    /// The `fetchpriority` of its element.
    pub(crate) priority_hint: String,
    pub(crate) is_link_preload: bool,
    pub(crate) from_service_worker: bool,
    /// The last initiator that is stated.
    pub(crate) initiator: Option<Initiator>,
    /// Response headers with names in lower case; empty if they were not recorded. Headers of one name are joined.
    pub(crate) headers: Vec<(String, String)>,
    /// Arrival of the first byte of the headers.
    pub(crate) first_byte: Option<Ns>,
}

impl RequestDetail {
    /// A response header by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Adds the facts of a send event, from `args.data`.
    pub(super) fn add_send(&mut self, data: &Value) {
        self.id = data.get("requestId").map(Value::display_js).unwrap_or_default();
        self.frame = text(data, "frame");
        self.priority_hint = text(data, "fetchPriorityHint");
        self.is_link_preload = data.get("isLinkPreload").is_some_and(Value::is_truthy);
        if let Some(initiator) = data.get("initiator") {
            let stack = stack(data).or_else(|| stack(initiator)).unwrap_or_default();
            let (kind, fetch_type, url) =
                (text(initiator, "type"), text(initiator, "fetchType"), text(initiator, "url"));
            self.initiator = Some(Initiator { kind, fetch_type, url, stack });
        }
    }

    /// Adds the facts of a response event, from `args.data`.
    pub(super) fn add_response(&mut self, data: &Value) {
        self.from_service_worker = data.get("fromServiceWorker").is_some_and(Value::is_truthy);
        if let Some(Value::List(headers)) = data.get("headers") {
            self.headers.clear();
            headers.iter().take(MAX_KEPT).for_each(|header| self.add_header(header));
        }
        let first_byte = data.get("timing").and_then(|timing| {
            let number = |key: &str| timing.get(key).and_then(Value::as_f64).filter(|number| number.is_finite());
            let start = number("receiveHeadersStart").or_else(|| number("receiveHeadersEnd"))?;
            Ns::from_ms(number("requestTime")? * 1e3 + start)
        });
        self.first_byte = first_byte;
    }

    fn add_header(&mut self, header: &Value) {
        let (name, value) = (text(header, "name").to_ascii_lowercase(), text(header, "value"));
        match self.headers.iter_mut().find(|(own, _)| *own == name) {
            Some((_, known)) => {
                known.push_str(", ");
                known.push_str(&value);
            }
            None => self.headers.push((name, value)),
        }
    }
}

fn text(data: &Value, key: &str) -> String {
    data.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The addresses of a stack.
fn stack(data: &Value) -> Option<Vec<String>> {
    let Value::List(frames) = data.get("stackTrace")? else { return None };
    Some(frames.iter().take(MAX_KEPT).map(|frame| text(frame, "url")).collect())
}

#[cfg(test)]
mod tests {
    use super::RequestDetail;
    use flowline_profile::{Ns, Value};

    fn object(members: &[(&str, Value)]) -> Value {
        Value::Object(members.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
    }

    fn string(value: &str) -> Value {
        Value::String(value.to_owned())
    }

    #[test]
    fn headers_of_one_name_are_joined() {
        let header = |name: &str, value: &str| object(&[("name", string(name)), ("value", string(value))]);
        let headers = [
            header("Cache-Control", "max-age=60"),
            header("Date", "Thu, 26 Nov 2026 09:48:39 GMT"),
            header("cache-control", "private"),
            Value::Null,
        ];
        let timing = object(&[("requestTime", Value::Number(2.5)), ("receiveHeadersEnd", Value::Int(7))]);
        let mut detail = RequestDetail::default();
        detail.add_response(&object(&[("headers", Value::List(headers.to_vec())), ("timing", timing)]));
        assert_eq!(detail.header("cache-control"), Some("max-age=60, private"));
        assert_eq!(detail.header("expires"), None);
        assert_eq!(detail.first_byte, Some(Ns(2_507_000_000)));
    }
}
