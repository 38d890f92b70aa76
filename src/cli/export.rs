//! `flowline export`: the markers of a scope as a file, written as they are read.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context as _, bail};

use super::progress_line::CountLine;
use super::scope::ScopeChoice;
use super::scope_args::{ExportArgs, ExportFormat};
use super::table_text::{csv_field, markdown_field, tsv_field};
use super::{Opening, dump, keep, open, origin_for};
use crate::index::depths;
use crate::index::statistics::Subject;
use crate::profile::{LocalMarker, MarkerFlags, Profile, ThreadId};

pub(super) fn run(options: &ExportArgs, opening: &Opening) -> anyhow::Result<()> {
    let format = format_of(options)?;
    let same = |path: &Path| path.canonicalize().ok();
    if same(&options.file).is_some_and(|file| Some(file) == same(&options.output)) {
        bail!("{}: the recording itself cannot be written over; choose another file", options.output.display());
    }
    let loaded = open(&origin_for(&options.file), opening)?;
    let index = &loaded.index;
    let choice = ScopeChoice::new(&options.scope, index)?;
    let subject = choice.subject(index);
    let place = || options.output.display().to_string();
    let mut out = BufWriter::with_capacity(1 << 16, File::create(&options.output).with_context(place)?);
    let progress = CountLine::start("writing", index.profile().marker_count() as u64);
    let written = write(&mut out, &subject, format, &progress).and_then(|()| out.flush());
    progress.finish();
    written.with_context(place)?;
    keep(&loaded);
    Ok(())
}

fn format_of(options: &ExportArgs) -> anyhow::Result<ExportFormat> {
    let ending = options.output.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    let known = match ending.as_str() {
        "csv" => Some(ExportFormat::Csv),
        "tsv" => Some(ExportFormat::Tsv),
        "json" => Some(ExportFormat::Json),
        "md" => Some(ExportFormat::Md),
        _ => None,
    };
    options.format.or(known).with_context(|| {
        format!("{}: end the name with .csv, .tsv, .json or .md, or say --format", options.output.display())
    })
}

/// The columns of tables.
const COLUMNS: [&str; 12] = [
    "marker",
    "thread",
    "thread_name",
    "process",
    "pid",
    "name",
    "category",
    "start_ns",
    "end_ns",
    "duration_ns",
    "incomplete",
    "data",
];

/// Markers between two looks at the progress.
const BATCH: u64 = 4096;

/// Writes the markers of a scope thread by thread, in the order of their starts.
fn write(
    out: &mut impl Write,
    subject: &Subject<'_>,
    format: ExportFormat,
    progress: &CountLine,
) -> std::io::Result<()> {
    let profile = subject.profile();
    let (mut line, mut data) = (String::new(), String::new());
    match format {
        ExportFormat::Json => out.write_all(b"[\n")?,
        _ => out.write_all(heading(format).as_bytes())?,
    }
    let mut of_thread: Option<(ThreadId, Vec<Option<u32>>)> = None;
    for (number, marker) in (0_u64..).zip(subject.markers()) {
        if number % BATCH == 0 {
            progress.set(u64::from(marker.0));
        }
        let Some((id, local)) = profile.locate(marker) else { continue };
        if format != ExportFormat::Json {
            row(&mut line, &mut data, profile, (id, local), format);
            out.write_all(line.as_bytes())?;
            continue;
        }
        let thread = profile.thread(id);
        let depths = match &mut of_thread {
            Some((known, depths)) if *known == id => depths,
            other => &mut other.insert((id, if profile.meta.stacks_first { depths(thread) } else { Vec::new() })).1,
        };
        if number > 0 {
            out.write_all(b",")?;
        }
        dump::marker(out, &mut line, profile, (id, thread), local, depths)?;
    }
    if format == ExportFormat::Json { out.write_all(b"]\n") } else { Ok(()) }
}

/// The first lines of a table.
fn heading(format: ExportFormat) -> String {
    match format {
        ExportFormat::Tsv => COLUMNS.join("\t") + "\n",
        ExportFormat::Md => {
            let rule = COLUMNS.map(|name| if name.ends_with("_ns") { "---:" } else { "---" }).join("|");
            format!("| {} |\n|{rule}|\n", COLUMNS.map(|name| name.replace('_', "\\_")).join(" | "))
        }
        ExportFormat::Csv | ExportFormat::Json => COLUMNS.join(",") + "\r\n",
    }
}

/// Replaces `line` by the row of a marker.
fn row(
    line: &mut String,
    data: &mut String,
    profile: &Profile,
    (id, local): (ThreadId, LocalMarker),
    format: ExportFormat,
) {
    let (thread, process) = (profile.thread(id), profile.process_of(id));
    let (markers, at) = (&thread.markers, local.index());
    let is_instant = markers.is_instant(local);
    let or_empty = |number: i64| if is_instant { String::new() } else { number.to_string() };
    data.clear();
    let payload = profile.payload_resolved(id, local);
    if !payload.is_null() {
        payload.to_json(data);
    }
    let numbers = [thread.global(local).0.to_string(), id.0.to_string()];
    let times = [
        markers.start[at].0.to_string(),
        or_empty(markers.end[at].0),
        or_empty((markers.end[at] - markers.start[at]).0),
    ];
    let fields: [&str; COLUMNS.len()] = [
        &numbers[0],
        &numbers[1],
        &thread.name,
        &process.name,
        &process.pid,
        profile.strings.get(markers.name[at]),
        profile.category_name(markers.category(local)),
        &times[0],
        &times[1],
        &times[2],
        if markers.flags[at].has(MarkerFlags::INCOMPLETE) { "true" } else { "false" },
        data,
    ];
    line.clear();
    let (begin, between, end, write): (&str, &str, &str, fn(&mut String, &str)) = match format {
        ExportFormat::Csv | ExportFormat::Json => ("", ",", "\r\n", csv_field),
        ExportFormat::Tsv => ("", "\t", "\n", tsv_field),
        ExportFormat::Md => ("| ", " | ", " |\n", markdown_field),
    };
    line.push_str(begin);
    for (number, field) in fields.into_iter().enumerate() {
        if number > 0 {
            line.push_str(between);
        }
        write(line, field);
    }
    line.push_str(end);
}
