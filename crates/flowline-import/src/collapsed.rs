//! Collapsed stacks, as written by Brendan Gregg's tools and many others. Each line is one stack: its functions from
//! the root, separated by `;`, then a space and a count: `main;parse;read_line 12`.
//!
//! Names are kept as written, including suffixes such as `_[k]`. Counts may be fractional, have an exponent or be
//! negative; they are weights without a unit. The format has neither threads nor times, so all samples belong to one
//! thread. A sample begins where the preceding counts end, and the axis counts samples. Lines that begin with
//! `# ` are comments; other lines without a count are damage.
//!
//! `difffolded.pl` writes two counts, before and after; the second one is the weight, as in `flamegraph.pl`. A text has
//! two counts if all of its first lines do.

use std::ops::Range;

use rayon::prelude::*;

use crate::error::ImportError;
use crate::importer::{Detection, FormatProbe, ImportContext, Importer};
use crate::io::text::Text;
use crate::progress::Progress;
use crate::sampled::{self, ChunkStacks, Names, Sampled, SampledThread, WeightClock};
use crate::text_start::is_text;
use flowline_profile::samples::{Frame, Func, NONE, WeightUnit};
use flowline_profile::{
    AxisUnit, Ns, Process, Profile, SampleTable, Source, SourceKind, StackTablesBuilder, Stopwatch, ThreadSamples,
    TimeRange, WarningKind, Warnings,
};

/// Number of bytes that format detection examines.
const LOOK: usize = 1 << 20;
/// Number of lines that format detection examines.
const LOOK_LINES: usize = 200;

/// The importer of collapsed stacks.
pub(super) struct Collapsed;

/// A parsed chunk of the text.
struct Chunk<'a> {
    names: Names<'a>,
    stacks: ChunkStacks,
    /// Stack, count, and duration.
    samples: Vec<(u32, f64, Ns)>,
    warnings: Warnings,
}

impl Importer for Collapsed {
    type Parsed = Sampled;

    fn detect(probe: &FormatProbe<'_>) -> Detection {
        match probe {
            FormatProbe::Start(text) => detect_start(text),
            FormatProbe::Array | FormatProbe::Member(..) => Detection::No,
        }
    }

    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<Sampled, ImportError> {
        let step = Stopwatch::start();
        let bytes = sampled::whole_lines(text, context, |part| memchr::memrchr(b'\n', part).map(|at| at + 1));
        let after_line =
            |text: &[u8], from: usize| memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |at| from + at + 1);
        let chunks = sampled::chunks(bytes, context.options.chunk, after_line);
        let columns = columns(bytes);
        let progress = context.progress;
        let read = |range: Range<usize>| {
            let length = range.len() as u64;
            let chunk = (!progress.is_cancelled()).then(|| read_chunk(bytes, range, columns));
            progress.advance(length);
            chunk
        };
        let chunks: Vec<Option<Chunk<'_>>> = chunks.into_par_iter().with_max_len(1).map(read).collect();
        let chunks: Option<Vec<Chunk<'_>>> = chunks.into_iter().collect();
        let joined = chunks.and_then(|chunks| join(chunks, progress, &mut context.warnings));
        let recording = joined.ok_or(ImportError::Cancelled)?;
        recording.check_memory(context)?;
        context.timings.parse = step.elapsed();
        Ok(recording)
    }

    fn finish(parsed: Sampled, source: &Source, _: &mut ImportContext<'_>) -> Result<Profile, ImportError> {
        Ok(parsed.into_profile(source))
    }
}

/// Number of counts per line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Columns {
    One,
    /// Before and after.
    Two,
}

/// Returns true for a comment.
fn is_comment(line: &[u8]) -> bool {
    line == b"#" || line.starts_with(b"# ")
}

/// Determines the number of counts per line from the first lines.
fn columns(text: &[u8]) -> Columns {
    let look = &text[..text.len().min(LOOK)];
    let lines = sampled::lines(look, 0..look.len()).map(|(_, line)| line).take(LOOK_LINES);
    let mut counts = lines.filter(|line| !is_comment(line)).filter_map(count_of).peekable();
    let are_two = counts.peek().is_some() && counts.all(|(stack, _)| count_of(stack).is_some());
    if are_two { Columns::Two } else { Columns::One }
}

/// Detects collapsed stacks: more of the first lines have a count than lack one, and at least one of the lines with a
/// count has a caller. Without callers, all lines have a count after one word, or there are several and all have one after
/// the name of a function.
fn detect_start(text: &[u8]) -> Detection {
    if !is_text(text) {
        return Detection::No;
    }
    let is_json = matches!(text.trim_ascii_start().first(), Some(b'{' | b'['));
    let look = &text[..text.len().min(LOOK)];
    let whole = match memchr::memrchr(b'\n', look) {
        Some(end) => &look[..=end],
        None if is_json => return Detection::No,
        // The first line may be longer than the available text.
        None if look.len() < LOOK && count_of(look).is_none() && look.contains(&b';') => return Detection::NeedMore,
        None => look,
    };
    let (mut good, mut bad, mut has_caller, mut words, mut functions) = (0, 0, false, 0, 0);
    for (_, line) in sampled::lines(whole, 0..whole.len()).take(LOOK_LINES) {
        match count_of(line) {
            Some((stack, _)) if !is_comment(line) => {
                good += 1;
                has_caller |= stack.contains(&b';');
                words += usize::from(is_word(stack));
                functions += usize::from(is_word(stack) || is_function(stack));
            }
            _ if line.trim_ascii().is_empty() || is_comment(line) => {}
            Some(_) => {}
            None => bad += 1,
        }
    }
    let has_functions_only = words == good || (good > 1 && functions == good);
    (good > bad && (has_caller || (bad == 0 && has_functions_only))).into()
}

/// Returns true for a name with spaces that has the form of a function: parameters or template arguments in brackets after
/// a name, or a qualified name.
fn is_function(text: &[u8]) -> bool {
    let has_brackets = text.windows(2).any(|pair| !pair[0].is_ascii_whitespace() && matches!(pair[1], b'(' | b'<'));
    let is_qualified = memchr::memmem::find(text, b"::").is_some_and(|at| at > 0);
    text.first().is_some_and(|first| !first.is_ascii_whitespace()) && (has_brackets || is_qualified)
}

/// Returns true for a word that contains a letter.
fn is_word(text: &[u8]) -> bool {
    !text.iter().any(u8::is_ascii_whitespace) && text.iter().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
}

/// Stack and count of a line, separated by one space or tab.
fn count_of(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii_end();
    let space = memchr::memrchr2(b' ', b'\t', line)?;
    let (stack, count) = (&line[..space], &line[space + 1..]);
    let digits = count.strip_prefix(b"-").unwrap_or(count);
    let is_number = |byte: &u8| byte.is_ascii_digit() || b".eE+-".contains(byte);
    let is_count = digits.first().is_some_and(u8::is_ascii_digit)
        && digits.iter().all(is_number)
        && std::str::from_utf8(digits).is_ok_and(|digits| digits.parse::<f64>().is_ok());
    (is_count && !stack.trim_ascii().is_empty()).then_some((stack, count))
}

fn read_chunk(text: &[u8], range: Range<usize>, columns: Columns) -> Chunk<'_> {
    let mut chunk = Chunk {
        names: Names::default(),
        stacks: ChunkStacks::default(),
        samples: Vec::new(),
        warnings: Warnings::default(),
    };
    let clock = WeightClock::new(WeightUnit::Plain, Ns(0));
    for (place, line) in sampled::lines(text, range) {
        if line.trim_ascii().is_empty() || is_comment(line) {
            continue;
        }
        let found = count_of(line).and_then(|(stack, count)| Some((stack, count, sampled::number(count)?)));
        let Some((stack, count, weight)) = found else {
            chunk.warnings.add(WarningKind::BadLine, || format!("byte {place}: line without a count"));
            continue;
        };
        let before = count_of(stack).filter(|_| columns == Columns::Two);
        let stack = before.map_or(stack, |(stack, _)| stack);
        if weight < 0.0 {
            chunk.warnings.add(WarningKind::NegativeWeight, || format!("byte {place}"));
        }
        let frames = stack.split(|byte| *byte == b';').filter(|name| !name.is_empty());
        let innermost = frames.fold(NONE, |caller, name| {
            let frame = chunk.names.number(name);
            chunk.stacks.child(caller, frame)
        });
        chunk.samples.push((innermost, weight, clock.length(count)));
    }
    chunk
}

/// Joins the chunks in text order into one thread; `None` if the import is stopped.
fn join(chunks: Vec<Chunk<'_>>, progress: &Progress, warnings: &mut Warnings) -> Option<Sampled> {
    let mut builder = StackTablesBuilder::default();
    let mut clock = WeightClock::new(WeightUnit::Plain, Ns(0));
    let count = chunks.iter().map(|chunk| chunk.samples.len()).sum();
    let (mut times, mut stacks, mut weights) =
        (Vec::with_capacity(count), Vec::with_capacity(count), Vec::with_capacity(count));
    for chunk in chunks {
        if progress.is_cancelled() {
            return None;
        }
        let frame = |name: &&[u8]| {
            let name = builder.text(&String::from_utf8_lossy(name));
            let func = builder.func(Func::named(name));
            builder.frame(Frame::of(func))
        };
        let frames: Vec<_> = chunk.names.list.iter().map(frame).collect();
        let numbers = chunk.stacks.add_to(&mut builder, |_, _, frame| frames[frame as usize]);
        for (stack, weight, length) in chunk.samples {
            times.push(clock.advance(length));
            stacks.push(sampled::global(&numbers, stack));
            weights.push(weight);
        }
        warnings.merge(chunk.warnings);
    }
    let cpu = SampleTable::with_columns(times, stacks, Vec::new(), weights, WeightUnit::Plain);
    let mut recording = Sampled::new(SourceKind::Collapsed);
    recording.processes.push(Process { pid: "1".into(), name: "Collapsed stacks".into() });
    recording.threads.push(SampledThread {
        tid: "1".to_owned(),
        name: "All stacks".to_owned(),
        is_main: true,
        range: TimeRange { start: Ns(0), end: clock.now },
        samples: ThreadSamples { cpu, ..ThreadSamples::default() },
        ..SampledThread::default()
    });
    recording.stacks = builder.finish();
    recording.axis = AxisUnit::Samples;
    recording.interval = recording.last_length();
    Some(recording)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_recognized_by_its_lines() {
        let rows: [(&[u8], Detection); 24] = [
            (b"a;b 1\n", Detection::Yes),
            (b"a;b 1", Detection::Yes),
            (b"a 1\r\na;b_[k] 2.5\r\n", Detection::Yes),
            (b"<module> (x.py:1);f (x.py:2) 3\n", Detection::Yes),
            (b"[unknown];f 3\n", Detection::Yes),
            (b"a;b 1\nno count\na;c 2\n", Detection::Yes),
            (b"a;b", Detection::NeedMore),
            (b"a 1\nb 2\n", Detection::Yes),
            (b"# interval: 100\n# mode: cpu\na 1\n", Detection::Yes),
            (b"a;b 1.5e-3\n", Detection::Yes),
            (b"kmalloc+0x3 25\nos::Submit(os::Block&, unsigned int)+0xbf 89\n", Detection::Yes),
            (b"void std::sort<int*>(int*, int*) 5\n(anonymous namespace)::f() const 7\n", Detection::Yes),
            (b"Chapter (see page 3) 12\nIn room 12\n", Detection::No),
            (b"f(a, b) is equal to 12\n", Detection::No),
            (b"a 1\nb\n", Detection::No),
            (b"in room 12\n", Detection::No),
            (b"1 2\n3 4\n", Detection::No),
            (b"# interval: 100\n# duration: 500\n", Detection::No),
            (b"let a = 1; let b = 2;\nprint a;\n", Detection::No),
            (b"one; two 3\nthree four\nfive six\n", Detection::No),
            (b"{\"a;b\": 5", Detection::No),
            (b"[{\"name\":\"a;b 5", Detection::No),
            (b"a;b\x01 5\n", Detection::No),
            (b"", Detection::No),
        ];
        for (text, expected) in rows {
            assert_eq!(detect_start(text), expected, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn a_count_is_a_number_after_the_last_space() {
        let count = |line: &str| {
            count_of(line.as_bytes())
                .map(|(stack, count)| [stack, count].map(|text| String::from_utf8_lossy(text).into_owned()))
        };
        let pair = |stack: &str, count: &str| Some([stack.to_owned(), count.to_owned()]);
        assert_eq!(count("a b;c d 12"), pair("a b;c d", "12"));
        assert_eq!(count("a;b\t1.5  "), pair("a;b", "1.5"));
        assert_eq!(count("thread 5 7"), pair("thread 5", "7"));
        assert_eq!(count("a  -3"), pair("a ", "-3"));
        assert_eq!(count("a 2.5e+3"), pair("a", "2.5e+3"));
        for line in ["", "12", " 12", "a;b", "a;b 1x", "a;b 1.2.3", "a;b -", "a;b .", "a;b 1e", "a;b 1-2"] {
            assert_eq!(count(line), None, "{line}");
        }
    }

    #[test]
    fn a_text_has_two_counts_if_all_lines_do() {
        assert_eq!(columns(b"# x 1\na;b 10 20\n\na;c 5 0\n"), Columns::Two);
        assert_eq!(columns(b"a;b 10 20\na;c 5\n"), Columns::One);
        assert_eq!(columns(b""), Columns::One);
    }
}
