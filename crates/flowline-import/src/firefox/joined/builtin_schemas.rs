//! Schemas of payload types that Firefox writes without a schema, because they are built into the Firefox Profiler.
//! Source: raw profiles of version 34, and the Firefox Profiler's payload documentation.

use flowline_profile::text::{Format, LabelTemplate};
use flowline_profile::{Field, Schema};

/// The built-in schemas. A recording's own schema of the same name wins.
pub(in crate::firefox) fn schemas() -> Vec<Schema> {
    vec![network(), ipc(), screenshot()]
}

fn field(key: &str, label: &str, format: Format) -> Field {
    Field { key: key.into(), label: label.into(), format, hidden: false, percentage_divisor: None }
}

fn template(text: &str) -> Option<LabelTemplate> {
    Some(LabelTemplate::parse(text).0)
}

fn schema(name: &str, labels: [&str; 3], fields: Vec<Field>) -> Schema {
    let [chart, tooltip, table] = labels;
    Schema {
        name: name.into(),
        chart_label: template(chart),
        tooltip_label: template(tooltip),
        table_label: template(table),
        display: vec!["marker-chart".into(), "marker-table".into()],
        fields: fields.into(),
        ..Schema::default()
    }
}

fn network() -> Schema {
    let labels = ["{marker.data.URI}", "{marker.name}", "{marker.data.requestMethod} {marker.data.URI}"];
    schema(
        "Network",
        labels,
        vec![
            field("URI", "URL", Format::Url),
            field("status", "Status", Format::String),
            field("requestStatus", "Request status", Format::String),
            field("responseStatus", "Response code", Format::Integer),
            field("requestMethod", "Method", Format::String),
            field("contentType", "Content type", Format::String),
            field("count", "Size", Format::Bytes),
            field("cache", "Cache", Format::String),
            field("httpVersion", "Protocol", Format::String),
            field("classOfService", "Class of service", Format::String),
            field("priorityHeader", "Priority header", Format::String),
            field("pri", "Priority", Format::Integer),
            field("RedirectURI", "Redirected to", Format::Url),
            field("redirectType", "Redirect type", Format::String),
            field("isHttpToHttpsRedirect", "HTTP to HTTPS redirect", Format::String),
            field("fetchStart", "Fetch started", Format::Time),
            field("domainLookupStart", "DNS start", Format::Time),
            field("domainLookupEnd", "DNS end", Format::Time),
            field("connectStart", "Connect start", Format::Time),
            field("tcpConnectEnd", "TCP connected", Format::Time),
            field("secureConnectionStart", "TLS start", Format::Time),
            field("connectEnd", "Connect end", Format::Time),
            field("requestStart", "Request sent", Format::Time),
            field("responseStart", "First byte", Format::Time),
            field("responseEnd", "Last byte", Format::Time),
            field("id", "Request id", Format::Decimal),
        ],
    )
}

fn ipc() -> Schema {
    let labels = ["{marker.data.messageType}", "{marker.name}: {marker.data.messageType}", "{marker.data.messageType}"];
    let mut schema = schema(
        "IPC",
        labels,
        vec![
            field("messageType", "Type", Format::String),
            field("sync", "Sync", Format::String),
            field("side", "Side", Format::String),
            field("direction", "Direction", Format::String),
            field("sender", "Sender", Format::String),
            field("receiver", "Receiver", Format::String),
            field("otherPid", "Other process", Format::Pid),
            field("messageSeqno", "Sequence number", Format::Decimal),
            field("sendStartTime", "Transfer started", Format::Time),
            field("sendEndTime", "Transfer sent", Format::Time),
            field("recvEndTime", "Transfer ended", Format::Time),
        ],
    );
    schema.display.push("timeline-ipc".into());
    schema
}

fn screenshot() -> Schema {
    let labels = ["", "Screenshot", "Screenshot"];
    schema(
        "CompositorScreenshot",
        labels,
        vec![
            field("windowID", "Window", Format::String),
            field("windowWidth", "Width", Format::Integer),
            field("windowHeight", "Height", Format::Integer),
        ],
    )
}
