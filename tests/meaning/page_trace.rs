//! Small traces of a page of Chrome, and the insights about them.

use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::insights::{Finding, Insight, InsightName, Insights, fact};
use flowline::profile::MarkerId;
use serde_json::{Value, json};

use crate::insight_facts::value;
use crate::recording::read_bytes;

/// Adds up the events of a trace.
#[derive(Clone, Default)]
pub(crate) struct Trace(pub(crate) Vec<Value>);

impl Trace {
    /// A page at `http://shop.test/` whose main thread is thread 7 of process 7, with a navigation after 1 ms.
    pub(crate) fn page() -> Self {
        let frames = json!([{"frame": "MAIN", "url": "http://shop.test/", "processId": 7, "isOutermostMainFrame": true,
            "isInPrimaryMainFrame": true}]);
        let mut trace = Self::default();
        trace.instant("TracingStartedInBrowser", 0, json!({"data": {"frames": frames}}));
        trace.0.push(json!({"ph": "M", "name": "thread_name", "pid": 7, "tid": 7, "args": {"name": "CrRendererMain"}}));
        trace.navigation("one", 1_000);
        trace
    }

    pub(crate) fn navigation(&mut self, id: &str, us: i64) {
        let data = json!({"navigationId": id, "documentLoaderURL": "http://shop.test/"});
        self.instant("navigationStart", us, json!({"frame": "MAIN", "data": data}));
    }

    pub(crate) fn instant(&mut self, name: &str, us: i64, args: Value) {
        let event = json!({"name": name, "ph": "I", "cat": "loading", "pid": 7, "tid": 7, "ts": us, "args": args});
        self.0.push(event);
    }

    /// A slice on a thread of process 7.
    pub(crate) fn slice(&mut self, tid: u32, name: &str, (us, dur): (i64, i64), args: Value) {
        let event = json!({"name": name, "ph": "X", "cat": "devtools.timeline", "pid": 7, "tid": tid, "ts": us, "dur": dur,
            "args": args});
        self.0.push(event);
    }

    /// A task with a script that forces one layout.
    pub(crate) fn forcing_task(&mut self, tid: u32, us: i64, layout: i64, frame: &str) {
        self.slice(tid, "RunTask", (us, layout + 300), json!({}));
        let call = json!({"functionName": "grow", "url": "http://shop.test/a.js", "lineNumber": 4, "columnNumber": 9});
        self.slice(tid, "FunctionCall", (us + 100, layout + 100), json!({"data": call}));
        let stack = [json!({"functionName": "read", "url": "http://shop.test/a.js", "scriptId": "3", "lineNumber": 2,
            "columnNumber": 5})];
        let begin = json!({"frame": frame, "dirtyObjects": 9, "stackTrace": stack});
        self.slice(tid, "Layout", (us + 150, layout), json!({"beginData": begin}));
    }

    /// A request that takes 100 ms.
    pub(crate) fn request(
        &mut self,
        id: &str,
        us: i64,
        (url, resource, mime): (&str, &str, &str),
        response: Response<'_>,
    ) {
        let sent = json!({"requestId": id, "url": url, "resourceType": resource, "frame": "MAIN", "requestMethod": "GET",
            "priority": "High"});
        self.instant("ResourceSendRequest", us, json!({"data": sent}));
        let headers = response.headers.iter().map(|(name, value)| json!({"name": name, "value": value}));
        let timing = json!({"requestTime": us as f64 / 1e6, "sendStart": 2, "sendEnd": 3, "receiveHeadersEnd": 50,
            "dnsStart": -1, "dnsEnd": -1, "connectStart": -1, "connectEnd": -1, "sslStart": -1, "sslEnd": -1});
        let data = json!({"requestId": id, "statusCode": 200, "mimeType": mime, "headers": headers.collect::<Vec<_>>(),
            "timing": timing});
        self.instant("ResourceReceiveResponse", us + 50_000, json!({"data": data}));
        let finish = json!({"requestId": id, "encodedDataLength": response.encoded, "decodedBodyLength": response.decoded,
            "didFail": false, "finishTime": (us + 100_000) as f64 / 1e6});
        self.instant("ResourceFinish", us + 100_000, json!({"data": finish}));
    }

    pub(crate) fn index(&self) -> Index {
        self.index_with(json!({}))
    }

    pub(crate) fn index_with(&self, metadata: Value) -> Index {
        let text = json!({"metadata": metadata, "traceEvents": self.0}).to_string().into_bytes();
        Index::build(Arc::new(read_bytes(text).expect("a trace")), Arrangement::Stack)
    }
}

/// The response of a request.
#[derive(Clone, Copy, Default)]
pub(crate) struct Response<'a> {
    pub(crate) headers: &'a [(&'a str, &'a str)],
    pub(crate) encoded: i64,
    pub(crate) decoded: i64,
}

/// The answer of an insight for the first navigation.
pub(crate) fn finding(index: &Index, name: InsightName) -> &Finding {
    finding_of(index, name, 0)
}

pub(crate) fn finding_of(index: &Index, name: InsightName, navigation: u32) -> &Finding {
    let own = |insight: &&Insight| insight.name == name && insight.navigation == Some(navigation);
    &Insights::of(index).list().iter().find(own).expect("the rule").finding
}

/// A fact of a finding as JSON.
pub(crate) fn data(finding: &Finding, key: &str) -> Value {
    value(fact(&finding.data, key).unwrap_or_else(|| panic!("{key} of {:?}", finding.data)))
}

/// Some members of an object.
pub(crate) fn only(of: &Value, keys: &[&str]) -> Value {
    keys.iter().map(|key| ((*key).to_owned(), of[*key].clone())).collect()
}

/// Names and starts of the markers of a finding, in microseconds.
pub(crate) fn markers(index: &Index, finding: &Finding) -> Vec<(String, i64)> {
    let profile = index.profile();
    let of = |marker: &MarkerId| {
        let (thread, local) = profile.locate(*marker).expect("a marker");
        let markers = &profile.thread(thread).markers;
        (profile.strings.get(markers.name(local)).to_owned(), markers.start(local).0 / 1_000)
    };
    finding.markers.iter().map(of).collect()
}
