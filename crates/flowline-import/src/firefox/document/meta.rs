//! `meta`: versions, categories, schemas, ranges. It is small, so all of it is decoded.

use crate::firefox::stacks::{Extension, extensions};
use flowline_json::{Cursor, JsonError, decode_value};
use flowline_profile::text::{Format, LabelTemplate};
use flowline_profile::{Category, CpuUnit, Field, Graph, Ns, Schema, Value, WarningKind, Warnings};

/// The members of `meta` that are used.
#[derive(Debug, Default)]
pub(in crate::firefox) struct Meta {
    /// `meta.version`: the Gecko format.
    pub(in crate::firefox) version: Option<u32>,
    /// `meta.preprocessedProfileVersion`: present in processed profiles.
    pub(in crate::firefox) processed_version: Option<u32>,
    pub(in crate::firefox) product: String,
    /// Wall clock at time zero, milliseconds since 1970.
    pub(in crate::firefox) start_epoch_ms: Option<f64>,
    pub(in crate::firefox) interval: Ns,
    pub(in crate::firefox) profiling_start: Option<Ns>,
    pub(in crate::firefox) profiling_end: Option<Ns>,
    pub(in crate::firefox) categories: Vec<Category>,
    pub(in crate::firefox) schemas: Vec<Schema>,
    /// The unit of CPU times of samples.
    pub(in crate::firefox) cpu_unit: Option<CpuUnit>,
    /// Add-ons of a raw profile.
    pub(in crate::firefox) extensions: Vec<Extension>,
    /// `meta.doesNotUseFrameImplementation`: frames do not contain the compiler of scripts, although the format allows
    /// it.
    pub(in crate::firefox) ignores_implementation: bool,
}

/// Decodes `meta` at the cursor. Damaged members keep their default, with a warning.
pub(in crate::firefox) fn read(cursor: Option<Cursor<'_>>, warnings: &mut Warnings) -> Meta {
    let Some(mut cursor) = cursor else { return Meta::default() };
    let mut members = Vec::new();
    if let Err(error) = decode_members(&mut cursor, &mut members) {
        super::damage::warn_damage(warnings, error, || "in meta".into());
    }
    from_value(&Value::Object(members), warnings)
}

/// Decodes member by member, so that members before damage are kept.
fn decode_members(cursor: &mut Cursor<'_>, members: &mut Vec<(String, Value)>) -> Result<(), JsonError> {
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        members.push((key.decode(), decode_value(cursor)?));
    }
    Ok(())
}

fn from_value(value: &Value, warnings: &mut Warnings) -> Meta {
    let number = |key: &str| value.get(key).and_then(Value::as_f64);
    let version = |key: &str| number(key).and_then(to_u32);
    let time = |key: &str| number(key).and_then(Ns::from_ms);
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    Meta {
        version: version("version"),
        processed_version: version("preprocessedProfileVersion"),
        cpu_unit: value.get("sampleUnits").and_then(|units| units.get("threadCPUDelta")?.as_str()).and_then(cpu_unit),
        extensions: extensions(value),
        ignores_implementation: value.get("doesNotUseFrameImplementation").is_some_and(Value::is_truthy),
        product: text("product"),
        start_epoch_ms: number("startTime").filter(|start| start.is_finite()),
        interval: time("interval").unwrap_or(Ns(1_000_000)),
        profiling_start: time("profilingStartTime"),
        profiling_end: time("profilingEndTime"),
        categories: list(value, "categories").iter().map(category).collect(),
        schemas: list(value, "markerSchema").iter().filter_map(|schema| read_schema(schema, warnings)).collect(),
    }
}

fn cpu_unit(name: &str) -> Option<CpuUnit> {
    match name {
        "ns" => Some(CpuUnit::Nanoseconds),
        // The micro sign is one of two characters.
        "\u{b5}s" | "\u{3bc}s" | "us" => Some(CpuUnit::Microseconds),
        "variable CPU cycles" => Some(CpuUnit::Cycles),
        _ => None,
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "range checked")]
fn to_u32(value: f64) -> Option<u32> {
    (value >= 0.0 && value < f64::from(u32::MAX)).then_some(value as u32)
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    match value.get(key) {
        Some(Value::List(items)) => items,
        _ => &[],
    }
}

fn category(value: &Value) -> Category {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    Category {
        name: text("name").unwrap_or_else(|| "(unnamed)".into()),
        color: text("color").unwrap_or_else(|| "grey".into()),
        subcategories: list(value, "subcategories").iter().map(|name| name.as_str().unwrap_or("").to_owned()).collect(),
    }
}

/// Reads one schema. Unknown parts of labels add a warning.
pub(in crate::firefox) fn read_schema(value: &Value, warnings: &mut Warnings) -> Option<Schema> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let name = text("name")?.to_owned();
    let mut label = |key: &str| {
        text(key).map(|source| {
            // Tables have a name column, so the usual prefix would repeat the name.
            let source = match key {
                "tableLabel" => source
                    .strip_prefix("{marker.name} - ")
                    .or_else(|| source.strip_prefix("{marker.name} — "))
                    .unwrap_or(source),
                _ => source,
            };
            let (template, problems) = LabelTemplate::parse(source);
            for problem in problems {
                warnings.add(WarningKind::BadLabel, || format!("schema \"{name}\", {key}: {problem}"));
            }
            template
        })
    };
    let (tooltip_label, table_label, chart_label) = (label("tooltipLabel"), label("tableLabel"), label("chartLabel"));
    let members = match list(value, "fields") {
        [] => list(value, "data"),
        fields => fields,
    };
    Some(Schema {
        tooltip_label,
        table_label,
        chart_label,
        display: list(value, "display").iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        fields: members.iter().filter_map(field).collect(),
        description: text("description").map(str::to_owned).or_else(|| static_text(members)),
        color_field: text("colorField").map(str::to_owned),
        is_stack_based: matches!(value.get("isStackBased"), Some(Value::Bool(true))),
        graphs: list(value, "graphs").iter().filter_map(graph).collect(),
        name,
    })
}

fn graph(value: &Value) -> Option<Graph> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let color = text("color").unwrap_or_default().to_owned();
    Some(Graph { key: text("key")?.to_owned(), is_bar: text("type") == Some("bar"), color })
}

fn field(value: &Value) -> Option<Field> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let key = text("key")?.to_owned();
    Some(Field {
        label: text("label").unwrap_or(&key).to_owned(),
        format: value.get("format").map_or(Format::String, Format::from_value),
        hidden: matches!(value.get("hidden"), Some(Value::Bool(true))),
        percentage_divisor: text("percentageDivisorKey").map(str::to_owned),
        key,
    })
}

/// Before version 55, a description is a `{label, value}` entry among the fields.
fn static_text(members: &[Value]) -> Option<String> {
    members.iter().find(|member| member.get("key").is_none())?.get("value")?.as_str().map(str::to_owned)
}
