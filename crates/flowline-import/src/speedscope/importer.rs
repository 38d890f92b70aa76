//! The importer of speedscope profiles: the shared frames, and the profiles in parallel.

use rayon::prelude::*;

use super::elements::for_each;
use super::thread::RawThread;
use crate::error::ImportError;
use crate::importer::{Detection, FormatProbe, ImportContext, Importer};
use crate::io::text::Text;
use crate::json_rest::{warn_of_escapes, warn_of_rest};
use crate::progress::Phase;
use crate::sampled::{MAX_THREADS, Sampled, number, warn_json};
use crate::text_start::json_start;
use flowline_json::{Cursor, JsonError, Kind, Problem};
use flowline_profile::samples::{Frame, Func, NONE, ScriptSource};
use flowline_profile::{
    FrameId, Process, Profile, Source, SourceKind, StackTablesBuilder, Stopwatch, WarningKind, Warnings,
};

/// The importer of speedscope profiles.
pub(crate) struct Speedscope;

impl Importer for Speedscope {
    type Parsed = Sampled;

    fn detect(probe: &FormatProbe<'_>) -> Detection {
        let found = match probe {
            FormatProbe::Member(b"$schema", value) => has_schema(*value),
            FormatProbe::Member(b"shared", value) => has_frames(*value),
            FormatProbe::Member(b"profiles", value) => has_profile(*value),
            FormatProbe::Start(_) | FormatProbe::Array | FormatProbe::Member(..) => Ok(false),
        };
        match found {
            Ok(found) => found.into(),
            Err(error) if error.problem == Problem::Truncated => Detection::NeedMore,
            Err(_) => Detection::No,
        }
    }

    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<Sampled, ImportError> {
        let step = Stopwatch::start();
        let (bytes, _) = text.available_after(usize::MAX);
        let outline = Outline::read(bytes);
        let progress = context.progress;
        let warnings = &mut context.warnings;
        let mut builder = StackTablesBuilder::default();
        let frames = frames(outline.frames, &mut builder, warnings);
        progress.begin(Phase::Parse, outline.profiles.len() as u64);
        let read = |(number, cursor): (usize, Cursor<'_>)| {
            let thread = (!progress.is_cancelled()).then(|| RawThread::read(cursor, number, frames.len()));
            progress.advance(1);
            thread
        };
        let profiles: Vec<(usize, Cursor<'_>)> = outline.profiles.into_iter().enumerate().collect();
        let threads: Option<Vec<RawThread>> = profiles.into_par_iter().map(read).collect();
        let threads = threads.ok_or(ImportError::Cancelled)?;

        let mut recording = Sampled::new(SourceKind::Speedscope);
        let name = outline.name.filter(|name| !name.is_empty());
        recording
            .processes
            .push(Process { pid: "1".into(), name: name.unwrap_or_else(|| "Process 1".to_owned()).into() });
        for (number, mut thread) in threads.into_iter().enumerate() {
            if progress.is_cancelled() {
                return Err(ImportError::Cancelled);
            }
            let stacks = thread.stacks.add_to(&mut builder, |_, _, frame| frames[frame as usize]);
            warnings.merge(std::mem::take(&mut thread.warnings));
            recording.threads.push(thread.finish(number, &stacks));
        }
        if let Some(error) = outline.damage
            && [WarningKind::Truncated, WarningKind::BrokenJson].iter().all(|kind| warnings.count(*kind) == 0)
        {
            warn_json(warnings, error, || "outside the profiles".to_owned());
        }
        if outline.damage.is_none() && text.beyond_part().is_none() {
            warn_of_rest(bytes, outline.end, warnings);
        }
        warn_of_escapes(bytes, 0..outline.end, warnings);
        if outline.omitted > 0 {
            warnings.add_many(WarningKind::MissingPart, outline.omitted, || "too many profiles".to_owned());
        }
        recording.stacks = builder.finish();
        recording.set_axis_of_weights();
        recording.interval = recording.last_length();
        recording.check_memory(context)?;
        context.timings.parse = step.elapsed();
        Ok(recording)
    }

    fn finish(parsed: Sampled, source: &Source, _: &mut ImportContext<'_>) -> Result<Profile, ImportError> {
        Ok(parsed.into_profile(source))
    }
}

/// True if a value is the name of speedscope's schema.
fn has_schema(mut value: Cursor<'_>) -> Result<bool, JsonError> {
    if value.peek()? != Kind::String {
        return Ok(false);
    }
    let text = value.string()?.decode();
    Ok(text.contains("speedscope") || text.ends_with("/file-format-schema.json"))
}

/// True if an object has a list of frames.
fn has_frames(mut value: Cursor<'_>) -> Result<bool, JsonError> {
    value.enter_object()?;
    while let Some(key) = value.next_key()? {
        if key.bytes == b"frames" {
            return Ok(value.peek()? == Kind::Array);
        }
        value.skip_value()?;
    }
    Ok(false)
}

/// True if the first element of a list is a profile.
fn has_profile(mut value: Cursor<'_>) -> Result<bool, JsonError> {
    value.enter_array()?;
    if !value.next_element()? {
        return Ok(false);
    }
    value.enter_object()?;
    while let Some(key) = value.next_key()? {
        if key.bytes == b"type" {
            return Ok(
                value.peek()? == Kind::String && matches!(value.string()?.known().bytes, b"sampled" | b"evented")
            );
        }
        value.skip_value()?;
    }
    Ok(false)
}

/// Cursors at the parts of a file.
#[derive(Default)]
struct Outline<'a> {
    frames: Option<Cursor<'a>>,
    profiles: Vec<Cursor<'a>>,
    name: Option<String>,
    /// Number of profiles beyond the maximum.
    omitted: u64,
    /// Offset at which the walk ended.
    end: usize,
    /// The damage that ended the walk early.
    damage: Option<JsonError>,
}

impl<'a> Outline<'a> {
    fn read(text: &'a [u8]) -> Self {
        let mut outline = Self::default();
        let mut cursor = json_start(text);
        outline.damage = outline.walk(&mut cursor).err();
        outline.end = cursor.offset().min(text.len());
        outline
    }

    fn walk(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let kind = cursor.peek()?;
            match (key.bytes, kind) {
                (b"shared", Kind::Object) => {
                    cursor.enter_object()?;
                    while let Some(key) = cursor.next_key()? {
                        if key.bytes == b"frames" {
                            self.frames = Some(*cursor);
                        }
                        cursor.skip_value()?;
                    }
                }
                (b"profiles", Kind::Array) => {
                    cursor.enter_array()?;
                    while cursor.next_element()? {
                        if self.profiles.len() < MAX_THREADS {
                            self.profiles.push(*cursor);
                        } else {
                            self.omitted += 1;
                        }
                        cursor.skip_value()?;
                    }
                }
                (b"name", Kind::String) => self.name = Some(cursor.string()?.decode()),
                _ => cursor.skip_value()?,
            }
        }
        Ok(())
    }
}

/// Reads the shared frames.
fn frames(cursor: Option<Cursor<'_>>, builder: &mut StackTablesBuilder, warnings: &mut Warnings) -> Vec<FrameId> {
    let Some(mut cursor) = cursor else {
        warnings.add(WarningKind::MissingPart, || "shared.frames".to_owned());
        return Vec::new();
    };
    let mut frames = Vec::new();
    let read = for_each(&mut cursor, warnings, "shared.frames", |cursor, warnings| {
        let frame = frame(cursor, builder);
        // An invalid frame keeps its number.
        let id = match frame {
            Ok(frame) => builder.frame(frame),
            Err(error) if error.is_wrong_type() => {
                warn_json(warnings, error, || format!("frame {}", frames.len()));
                let name = builder.text("");
                let func = builder.func(Func::named(name));
                builder.frame(Frame::of(func))
            }
            Err(error) => return Err(error),
        };
        frames.push(id);
        Ok(())
    });
    if let Err(error) = read {
        warn_json(warnings, error, || "shared.frames".to_owned());
    }
    frames
}

/// Reads a frame: `{"name": ..., "file": ..., "line": ..., "col": ...}`, all but the name optional.
fn frame(cursor: &mut Cursor<'_>, builder: &mut StackTablesBuilder) -> Result<Frame, JsonError> {
    let (mut name, mut file, mut line, mut column) = (String::new(), String::new(), NONE, NONE);
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let kind = cursor.peek()?;
        match (key.bytes, kind) {
            (b"name", Kind::String) => name = cursor.string()?.decode(),
            (b"file", Kind::String) => file = cursor.string()?.decode(),
            (b"line", Kind::Number) => line = count(cursor.scalar()?),
            (b"col", Kind::Number) => column = count(cursor.scalar()?),
            _ => cursor.skip_value()?,
        }
    }
    let name = builder.text(&name);
    let source = match file.as_str() {
        "" => NONE,
        file => {
            let source = ScriptSource { file: builder.text(file), id: builder.text("") };
            builder.source(source)
        }
    };
    let func = builder.func(Func { source, line, column, ..Func::named(name) });
    Ok(Frame { line, column, ..Frame::of(func) })
}

/// Parses a whole number; [`NONE`] if the text is not a number or does not fit.
fn count(text: &[u8]) -> u32 {
    let whole = number(text).filter(|number| *number >= 0.0 && *number < f64::from(NONE));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above; a fraction is cut off")]
    whole.map_or(NONE, |number| number as u32)
}
