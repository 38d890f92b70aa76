//! Parses lines of `perf script` output.

use std::borrow::Cow;

use flowline_profile::{Ns, Unit, parse_decimal};

/// The first line of a sample: `comm pid[/tid] [cpu] time: period event:`. Only the ids and either the time or the event
/// are required; without a name, the time and the event or its period. `perf script -F comm,pid,ip,sym` prints only the
/// name and the ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Header<'a> {
    /// Empty if missing.
    pub(super) comm: &'a [u8],
    /// Process; equal to the thread if the line has only one number.
    pub(super) pid: &'a [u8],
    pub(super) tid: &'a [u8],
    /// True if the line states both process and thread. A single number is the thread.
    pub(super) has_pid: bool,
    pub(super) time: Option<Ns>,
    pub(super) period: Option<&'a [u8]>,
    /// Empty if missing.
    pub(super) event: &'a [u8],
    /// Text after the event. In lines without callers this is the only frame.
    pub(super) rest: &'a [u8],
}

/// A line of a stack: `address symbol+0xoffset (library)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FrameLine<'a> {
    pub(super) symbol: &'a [u8],
    /// Empty if missing.
    pub(super) library: &'a [u8],
    /// File and line, which are on the next line of the text; `None` if unknown.
    pub(super) place: Option<(&'a [u8], u32)>,
}

/// A line of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Line<'a> {
    Header(Header<'a>),
    Frame(FrameLine<'a>),
    /// File and line of the previous frame; `None` if they are stated as unknown.
    Place(Option<(&'a [u8], u32)>),
    /// A record that is not a sample, such as the start of a process.
    Record,
}

/// Symbol of frames whose function is unknown.
const UNKNOWN: &[u8] = b"[unknown]";

impl<'a> Line<'a> {
    /// Parses a line; `None` for other lines. Frames appear only inside samples. An indented line is preferably a
    /// frame, because the name of a program may look like an address.
    pub(super) fn read(line: &'a [u8], in_sample: bool) -> Option<Self> {
        if words(line).any(|(at, word)| at > 0 && word.starts_with(b"PERF_RECORD_")) {
            return Some(Self::Record);
        }
        let place = || in_sample.then(|| source_line(line)).flatten().map(Self::Place);
        let frame = || in_sample.then(|| FrameLine::read(line)).flatten().map(Self::Frame);
        let header = || Header::read(line).map(Self::Header);
        if line.first().is_some_and(u8::is_ascii_whitespace) {
            frame().or_else(header).or_else(place)
        } else {
            header().or_else(frame)
        }
    }
}

/// Iterates over the words of a line with their offsets.
fn words(line: &[u8]) -> impl DoubleEndedIterator<Item = (usize, &[u8])> + Clone {
    let at = |word: &[u8]| word.as_ptr().addr() - line.as_ptr().addr();
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).map(move |word| (at(word), word))
}

fn is_number(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

/// Returns true if a word is an id: a number, possibly negative.
fn is_id(word: &[u8]) -> bool {
    is_number(word.strip_prefix(b"-").unwrap_or(word))
}

/// Parses process and thread from `pid/tid` or `tid`; true if both are stated.
fn ids(word: &[u8]) -> Option<(&[u8], &[u8], bool)> {
    let slash = memchr::memchr(b'/', word);
    let (pid, tid) = slash.map_or((word, word), |at| (&word[..at], &word[at + 1..]));
    (is_id(pid) && is_id(tid)).then_some((pid, tid, slash.is_some()))
}

/// Parses the time from `seconds.fraction:`.
fn time(word: &[u8]) -> Option<Ns> {
    let number = word.strip_suffix(b":")?;
    let point = memchr::memchr(b'.', number)?;
    (is_number(&number[..point]) && is_number(&number[point + 1..])).then(|| parse_decimal(number, Unit::Seconds))?
}

/// Parses an event: a word that ends with a colon, contains a letter, and has only characters of event names.
fn event(word: &[u8]) -> Option<&[u8]> {
    let belongs = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-:/=,.@+*?{}".contains(byte);
    let name = word.strip_suffix(b":")?;
    (name.iter().all(belongs) && name.iter().any(u8::is_ascii_alphabetic)).then_some(name)
}

impl<'a> Header<'a> {
    /// Parses a header line; `None` for other lines. Names may contain spaces, so parsing starts at the first time and
    /// goes backward and forward from there. Without a time it starts at the first event.
    pub(super) fn read(line: &'a [u8]) -> Option<Self> {
        let timed = words(line).find_map(|(at, word)| Some((at, at + word.len(), time(word)?)));
        let (before, time, after) = match timed {
            Some((start, end, time)) => (&line[..start], Some(time), &line[end..]),
            None => match words(line).skip(2).find(|(_, word)| event(word).is_some()) {
                Some((start, _)) => (&line[..start], None, &line[start..]),
                None => return Self::bare(line),
            },
        };
        let mut before = words(before).rev().peekable();
        let mut period = None;
        if timed.is_none() {
            // The number before an event is its period if another number precedes it as the process.
            let word = before.peek()?.1;
            let mut further = before.clone().skip(1).filter(|(_, word)| !is_cpu(word));
            if is_number(word)
                && further.next().is_some_and(|(_, word)| ids(word).is_some())
                && further.next().is_some()
            {
                period = Some(word);
                before.next();
            }
        }
        before.next_if(|(_, word)| is_cpu(word));
        let (comm_end, (pid, tid, has_pid)) = before.next().and_then(|(at, word)| Some((at, ids(word)?)))?;
        let comm = line[..comm_end].trim_ascii();
        let mut after_words = words(after).peekable();
        if let Some((_, word)) = after_words.next_if(|(_, word)| is_number(word)) {
            period = Some(word);
        }
        let (event, rest) = match after_words.next_if(|(_, word)| event(word).is_some()) {
            Some((at, word)) => (&word[..word.len() - 1], after[at + word.len()..].trim_ascii()),
            None => (&after[..0], &after[after_words.peek().map_or(after.len(), |(at, _)| *at)..]),
        };
        let is_known = !comm.is_empty() || (time.is_some() && (period.is_some() || !event.is_empty()));
        is_known.then(|| Self { comm, pid, tid, has_pid, time, period, event, rest: rest.trim_ascii() })
    }
}

impl<'a> Header<'a> {
    /// Parses a line with a name and ids only. Names are padded with spaces, frames are indented by a tab.
    fn bare(line: &'a [u8]) -> Option<Self> {
        let mut words = words(line).rev().peekable();
        words.next_if(|(_, word)| is_cpu(word));
        let (at, (pid, tid, has_pid)) = words.next().and_then(|(at, word)| Some((at, ids(word)?)))?;
        let comm = line[..at].trim_ascii();
        // Collapsed stacks end in a number, too.
        let is_name = !comm.is_empty() && !comm.contains(&b';') && line[0] != b'\t';
        let none = &line[..0];
        is_name.then_some(Self { comm, pid, tid, has_pid, time: None, period: None, event: none, rest: none })
    }

    /// True if there are a name and ids only.
    pub(super) fn is_bare(&self) -> bool {
        self.time.is_none() && self.event.is_empty()
    }
}

/// Returns true if a word is a CPU number such as `[003]`.
fn is_cpu(word: &[u8]) -> bool {
    word.strip_prefix(b"[").and_then(|word| word.strip_suffix(b"]")).is_some_and(is_number)
}

impl<'a> FrameLine<'a> {
    /// Parses a frame line; `None` for other lines.
    pub(super) fn read(line: &'a [u8]) -> Option<Self> {
        let line = line.trim_ascii();
        let space = line.iter().position(u8::is_ascii_whitespace)?;
        let address = line[..space].strip_prefix(b"0x").unwrap_or(&line[..space]);
        if address.is_empty() || !address.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let rest = line[space..].trim_ascii();
        // The library is in the last parentheses; symbols may contain parentheses, too.
        let library = rest.ends_with(b")").then(|| opening(rest)).flatten();
        let (symbol, library) = match library {
            Some(open) => (rest[..open].trim_ascii_end(), &rest[open + 1..rest.len() - 1]),
            None => (rest, &rest[..0]),
        };
        // Some versions of perf write nothing for a function without a symbol.
        let symbol = if symbol.is_empty() { UNKNOWN } else { without_offset(symbol) };
        Some(Self { symbol, library, place: None })
    }

    /// Returns the name of the function. A function without a symbol has the name of its library in brackets, as in
    /// collapsed stacks of FlameGraph.
    pub(super) fn name(&self) -> Cow<'a, [u8]> {
        let library = self.library.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        match library {
            _ if self.symbol != UNKNOWN => Cow::Borrowed(self.symbol),
            b"" => Cow::Borrowed(UNKNOWN),
            [b'[', ..] => Cow::Borrowed(library),
            _ => Cow::Owned([b"[", library, b"]"].concat()),
        }
    }

    /// Returns true if the frame is inlined into its caller, which is the next line.
    pub(super) fn is_inlined(&self) -> bool {
        self.library == b"inlined"
    }

    /// Returns true if the frame is a kernel function.
    pub(super) fn is_kernel(&self) -> bool {
        let library = self.library;
        let name = library.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let is_module = name.ends_with(b".ko") || name.windows(4).any(|part| part == b".ko.");
        // `[vdso]` and memory without a file belong to user space.
        let is_bracketed = library.starts_with(b"[")
            && ![b"[vdso".as_slice(), b"[vsyscall", b"[heap", b"[stack", b"[unknown", b"[anon"]
                .iter()
                .any(|own| library.starts_with(own));
        is_bracketed || is_module || name.starts_with(b"vmlinux")
    }
}

/// Parses the file and line of a frame (`perf script -F +srcline`): `main.c:12`; `??:0` or `prog[401b97]` if they are
/// unknown.
fn source_line(line: &[u8]) -> Option<Option<(&[u8], u32)>> {
    if !line.first().is_some_and(u8::is_ascii_whitespace) {
        return None;
    }
    let mut text = line.trim_ascii();
    for note in [b" (inlined)".as_slice(), b" (discriminator "] {
        text = memchr::memmem::find(text, note).map_or(text, |at| &text[..at]);
    }
    if let Some(open) = memchr::memrchr(b'[', text) {
        let address = text[open + 1..].strip_suffix(b"]")?;
        return (open > 0 && !address.is_empty() && address.iter().all(u8::is_ascii_hexdigit)).then_some(None);
    }
    let (file, number) = text.split_at(memchr::memrchr(b':', text).filter(|colon| *colon > 0)?);
    let number = &number[1..];
    if number == b"?" || (file == b"??" && is_number(number)) {
        return Some(None);
    }
    let number: u32 = std::str::from_utf8(number).ok().filter(|text| is_number(text.as_bytes()))?.parse().ok()?;
    Some((number > 0).then_some((file, number)))
}

/// Returns the offset of the parenthesis matching the last one, if it starts the text or follows a space.
fn opening(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (at == 0 || text[at - 1].is_ascii_whitespace()).then_some(at);
        }
    }
    None
}

/// Removes a trailing offset such as `+0x1f` from a symbol.
fn without_offset(symbol: &[u8]) -> &[u8] {
    let Some(plus) = memchr::memrchr(b'+', symbol) else { return symbol };
    let is_offset =
        symbol[plus + 1..].strip_prefix(b"0x").is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    if is_offset && plus > 0 { &symbol[..plus] } else { symbol }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, process, thread, time, period, event, rest.
    type Facts<'a> = (&'a str, &'a str, &'a str, Option<i64>, Option<&'a str>, &'a str, &'a str);

    #[test]
    fn headers_have_their_parts_in_any_combination() {
        let rows: [(&str, Facts<'_>); 16] = [
            (
                "java 12688/12764 [002] 6544038.708352:     250000 cpu-clock:pppH: ",
                ("java", "12688", "12764", Some(6_544_038_708_352_000), Some("250000"), "cpu-clock:pppH", ""),
            ),
            ("swapper     0 [000]  1.5: cycles:", ("swapper", "0", "0", Some(1_500_000_000), None, "cycles", "")),
            ("perf 5298 18.000000001: cycles:u:", ("perf", "5298", "5298", Some(18_000_000_001), None, "cycles:u", "")),
            ("perf 5298 cycles:", ("perf", "5298", "5298", None, None, "cycles", "")),
            ("perf 5298 1000 cycles:", ("perf", "5298", "5298", None, Some("1000"), "cycles", "")),
            ("perf 5298 [001] 1000 cycles:", ("perf", "5298", "5298", None, Some("1000"), "cycles", "")),
            ("Worker 3 71/72 1.0: cycles:", ("Worker 3", "71", "72", Some(1_000_000_000), None, "cycles", "")),
            (":4041 4041 [1] 2.0: 1 cycles:", (":4041", "4041", "4041", Some(2_000_000_000), Some("1"), "cycles", "")),
            (
                "   sh -1/-1 2.0: sched:sched_switch: prev_comm=a ==> b",
                ("sh", "-1", "-1", Some(2_000_000_000), None, "sched:sched_switch", "prev_comm=a ==> b"),
            ),
            (
                "sh 7 2.0: 5 cycles:  4005e5 main+0x5 (/bin/a b)",
                ("sh", "7", "7", Some(2_000_000_000), Some("5"), "cycles", "4005e5 main+0x5 (/bin/a b)"),
            ),
            ("sh 7 2.0:", ("sh", "7", "7", Some(2_000_000_000), None, "", "")),
            ("   10/11  2.0:  5 cycles: ", ("", "10", "11", Some(2_000_000_000), Some("5"), "cycles", "")),
            ("7 1.5: cycles:", ("", "7", "7", Some(1_500_000_000), None, "cycles", "")),
            ("a: 7 2.0: 9", ("a:", "7", "7", Some(2_000_000_000), Some("9"), "", "")),
            ("perf 5298", ("perf", "5298", "5298", None, None, "", "")),
            ("Worker 3 71/72 [001]", ("Worker 3", "71", "72", None, None, "", "")),
        ];
        for (line, expected) in rows {
            let header = Header::read(line.as_bytes()).unwrap_or_else(|| panic!("{line}"));
            let text = |bytes| std::str::from_utf8(bytes).expect("text");
            let found: Facts<'_> = (
                text(header.comm),
                text(header.pid),
                text(header.tid),
                header.time.map(|time| time.0),
                header.period.map(text),
                text(header.event),
                text(header.rest),
            );
            assert_eq!(found, expected, "{line}");
        }
        for line in ["", "perf", "5298", "1.5: cycles:", "7 1.5:", "a;b 12", "ffff main (/bin/sh)", "at 5 o'clock: no"]
        {
            assert_eq!(Header::read(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn frames_have_a_symbol_and_a_library() {
        let rows = [
            (
                "\tffffffff8105e5f6 native_safe_halt+0x6 ([kernel.kallsyms])",
                "native_safe_halt",
                "[kernel.kallsyms]",
                true,
            ),
            ("  7f1 [unknown] (/usr/lib/libc.so.6)", "[unknown]", "/usr/lib/libc.so.6", false),
            (
                " 7f1 f(int, char (*)(long))+0x1f (/tmp/a (deleted))",
                "f(int, char (*)(long))",
                "/tmp/a (deleted)",
                false,
            ),
            (" 7f1 operator+ (/bin/a)", "operator+", "/bin/a", false),
            (" 0x7f1 main", "main", "", false),
            (" 7f1 f() (inlined)", "f()", "inlined", false),
            (" 7f1  ()", "[unknown]", "", false),
            (" 7f1  (/usr/lib/libX11.so)", "[unknown]", "/usr/lib/libX11.so", false),
            (" 7f1 f()", "f()", "", false),
            (" 7f1 nf_hook+0x3 ([nf_tables])", "nf_hook", "[nf_tables]", true),
            (" 7f1 x (/lib/modules/net.ko.zst)", "x", "/lib/modules/net.ko.zst", true),
            (" 7f1 clock_gettime ([vdso])", "clock_gettime", "[vdso]", false),
        ];
        for (line, symbol, library, is_kernel) in rows {
            let frame = FrameLine::read(line.as_bytes()).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((frame.symbol, frame.library), (symbol.as_bytes(), library.as_bytes()), "{line}");
            assert_eq!(frame.is_kernel(), is_kernel, "{line}");
        }
        for line in ["", "main", "xyz main (/bin/a)", "7f1", "  main.c:12"] {
            assert_eq!(FrameLine::read(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_function_without_a_symbol_is_named_by_its_library() {
        for (line, name) in [
            (" 7f1 f (/usr/lib/libc.so.6)", "f"),
            (" 7f1 [unknown] (/usr/lib/libc.so.6)", "[libc.so.6]"),
            (" 7f1  (/usr/lib/libX11.so)", "[libX11.so]"),
            (" 7f1 [unknown] (//anon)", "[anon]"),
            (" 7f1 [unknown] ([kernel.kallsyms])", "[kernel.kallsyms]"),
            (" 7f1 [unknown] ([unknown])", "[unknown]"),
            (" 7f1 [unknown]", "[unknown]"),
        ] {
            let frame = FrameLine::read(line.as_bytes()).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(String::from_utf8_lossy(&frame.name()), name, "{line}");
        }
    }

    #[test]
    fn positions_follow_their_frames() {
        let place = |line: &'static str| Line::read(line.as_bytes(), true);
        assert_eq!(place("  main.c:12"), Some(Line::Place(Some((b"main.c", 12)))));
        assert_eq!(place("  C:/a b/x.cpp:7 (inlined)"), Some(Line::Place(Some((b"C:/a b/x.cpp", 7)))));
        assert_eq!(place("  x.c:7 (discriminator 3)"), Some(Line::Place(Some((b"x.c", 7)))));
        for unknown in ["  ??:0", "  x.c:?", "  x.c:0", "  prog[401b97]"] {
            assert_eq!(place(unknown), Some(Line::Place(None)), "{unknown}");
        }
        for other in ["main.c:12", "  a:b", "  :12", "  x", "  [401b97]", "  a[xyz]"] {
            assert_eq!(place(other), None, "{other}");
        }
        assert_eq!(Line::read(b"  main.c:12", false), None);
        assert_eq!(Line::read(b"a 1/1 1.0: PERF_RECORD_COMM: a:1/1", false), Some(Line::Record));
    }
}
