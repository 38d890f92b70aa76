//! Events as text in the JSON format of trace events.

use super::args;
use super::counter_number::CounterNumber;
use super::event::{Allocation, Args, EventId, InstantReach, TraceEvent};
use super::event_stack;
use super::first_pass::Facts;
use super::json_text::{float, hex, integer, micros, string};
use super::machine_ids::id_of;
use super::owner_text::{owner_members, text_member};

fn hex_member(out: &mut String, opening: &str, id: u64, closing: &str) {
    out.push_str(opening);
    hex(out, id);
    out.push_str(closing);
}

fn time_member(out: &mut String, opening: &str, ns: Option<i64>) {
    if let Some(ns) = ns {
        out.push_str(opening);
        micros(out, ns);
    }
}

/// Appends an event as an object.
pub(super) fn write_event(out: &mut String, event: &TraceEvent<'_>, facts: &Facts) {
    out.push_str("{\"ph\":\"");
    out.push(char::from(event.phase));
    out.push_str("\",\"ts\":");
    micros(out, event.ts);
    time_member(out, ",\"dur\":", event.duration);
    owner_members(out, facts.machine, event.owner);
    match event.id {
        EventId::None => {}
        EventId::Plain(id) => hex_member(out, ",\"id\":", id, ""),
        EventId::Local(id) => hex_member(out, ",\"id2\":{\"local\":", id, "}"),
        EventId::Global(id) => hex_member(out, ",\"id2\":{\"global\":", id, "}"),
        EventId::Track(id) => text_member(out, ",\"id2\":{\"track\":", &id_of(facts.machine, id), "}"),
        EventId::Counter(id) => text_member(out, ",\"id\":", id, ""),
    }
    if !event.scope.is_empty() {
        out.push_str(",\"scope\":");
        string(out, event.scope);
    }
    if let Some(binding) = event.binding {
        hex_member(out, ",\"bind_id\":", binding.id, "");
        out.push_str(if binding.incoming { ",\"flow_in\":true" } else { "" });
        out.push_str(if binding.outgoing { ",\"flow_out\":true" } else { "" });
    }
    out.push_str(if event.binds_to_enclosing { ",\"bp\":\"e\"" } else { "" });
    out.push_str(if event.has_async_time { ",\"use_async_tts\":1" } else { "" });
    time_member(out, ",\"tts\":", event.ran);
    time_member(out, ",\"tdur\":", event.ran_for);
    out.push_str(match event.reach {
        InstantReach::Recording => ",\"s\":\"g\"",
        InstantReach::Process => ",\"s\":\"p\"",
        InstantReach::Thread => "",
    });
    if !event.categories.is_empty() {
        text_member(out, ",\"cat\":", &event.categories, "");
    }
    if let Some(name) = &event.name {
        text_member(out, ",\"name\":", name, "");
    }
    for (opening, ends) in [(",\"flow_ids\":[", false), (",\"terminating_flow_ids\":[", true)] {
        let mut before = opening;
        for (id, _) in event.flows.iter().filter(|flow| flow.1 == ends) {
            hex_member(out, std::mem::replace(&mut before, ","), *id, "");
        }
        out.push_str(if before == "," { "]" } else { "" });
    }
    if !event.color.is_empty() {
        text_member(out, ",\"cname\":", event.color, "");
    }
    if !event.unit.is_empty() {
        text_member(out, ",\"unit\":", event.unit, "");
    }
    if let Some(frame) = event.frame {
        out.push_str(",\"sf\":\"");
        integer(out, frame);
        out.push('"');
    }
    if let Some(Allocation { weight, unit, address }) = event.allocation {
        text_member(out, ",\"allocation\":", unit, ",\"weight\":");
        integer(out, weight);
        out.push_str(",\"address\":");
        integer(out, address);
    }
    match event.args {
        Args::None => {}
        Args::Event(message, sequence) | Args::Annotated(message, sequence) => {
            if event.has_stack {
                event_stack::write(out, message, sequence);
            }
            args::write(out, message, sequence, &facts.schema)
        }
        Args::Made(write) => {
            out.push_str(",\"args\":");
            write(out);
        }
        Args::Value(value) => {
            out.push_str(",\"args\":{\"value\":");
            match value {
                CounterNumber::Whole(value) => integer(out, value),
                CounterNumber::Double(value) => float(out, value),
            }
            out.push('}');
        }
    }
    out.push('}');
}
