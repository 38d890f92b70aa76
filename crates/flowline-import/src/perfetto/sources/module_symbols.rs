//! Symbols of modules (`profile_common.proto`, `ModuleSymbols`): functions, files and lines by build id and address. Tools
//! append them to a trace, so they are collected in the first pass.

use foldhash::HashMap;

use crate::perfetto::json_text::text;
use crate::perfetto::wire::Fields;

/// A line of source code in a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::perfetto) struct SourceLine {
    pub(in crate::perfetto) function: Box<str>,
    /// Empty if unknown.
    pub(in crate::perfetto) file: Box<str>,
    /// 0 if unknown.
    pub(in crate::perfetto) line: u32,
}

/// The symbols of all modules.
#[derive(Debug, Default)]
pub(in crate::perfetto) struct ModuleSymbols {
    /// By build id in lower-case hexadecimal digits.
    modules: HashMap<Box<str>, HashMap<u64, Vec<SourceLine>>>,
}

/// Returns a build id as hexadecimal digits. Some programs write its bytes, others its digits.
fn hex_digits(build_id: &[u8]) -> Box<str> {
    if build_id.iter().all(u8::is_ascii_hexdigit) {
        return text(build_id).to_ascii_lowercase().into();
    }
    build_id.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}

impl ModuleSymbols {
    /// Reads the symbols of a module.
    pub(in crate::perfetto) fn learn(&mut self, packet: &[u8]) {
        let build_id = Fields::new(packet).field(2).map_or(&[][..], |build_id| build_id.bytes());
        if build_id.is_empty() {
            return;
        }
        let module = self.modules.entry(hex_digits(build_id)).or_default();
        for entry in Fields::new(packet).filter(|field| field.number == 3) {
            let (mut address, mut lines) = (0, Vec::new());
            for field in entry.message() {
                match field.number {
                    1 => address = field.number(),
                    2 => {
                        let mut line = SourceLine::default();
                        for part in field.message() {
                            match part.number {
                                1 => line.function = text(part.bytes()).into(),
                                2 => line.file = text(part.bytes()).into(),
                                3 => line.line = crate::perfetto::packet::id(&part),
                                _ => {}
                            }
                        }
                        lines.push(line);
                    }
                    _ => {}
                }
            }
            module.insert(address, lines);
        }
    }

    /// Returns the functions at an address of a module, innermost first: several if calls are inlined there.
    pub(in crate::perfetto) fn lines(&self, build_id: &[u8], address: u64) -> &[SourceLine] {
        // Most traces contain no symbols.
        if self.modules.is_empty() || build_id.is_empty() {
            return &[];
        }
        self.modules.get(&hex_digits(build_id)).and_then(|module| module.get(&address)).map_or(&[], Vec::as_slice)
    }
}
