//! Functions of processed profiles, and the scripts, resources and native symbols that functions and frames refer to.

use super::function_columns::{FuncColumns, SourceColumns};
use super::stack_columns::{Frames, address_at, at};
use crate::firefox::derive::UNKNOWN_NAME;
use crate::firefox::threads::sentinels::NONE;
use flowline_json::decode_string;
use flowline_profile::samples::{Func, FuncFlags, NativeSymbol, Resource, ResourceKind, ScriptSource};
use flowline_profile::{FuncId, StackTablesBuilder, StringId, StringTable, WarningKind, Warnings};

/// The name of resources without one.
const UNNAMED_RESOURCE: &str = "<unnamed resource>";

/// Strings of a table that functions refer to, each decoded once.
pub(super) struct Texts<'a> {
    text: &'a [u8],
    strings: &'a StringTable,
    known: Vec<u32>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(text: &'a [u8], strings: &'a StringTable) -> Self {
        Self { text, strings, known: vec![NONE; strings.len()] }
    }

    /// The interned string with a number; `None` if it does not exist.
    fn get(&mut self, builder: &mut StackTablesBuilder, number: u32) -> Option<StringId> {
        let known = self.known.get_mut(number as usize)?;
        if *known == NONE {
            *known = builder.text(&self.strings.get(self.text, u64::from(number))?).0;
        }
        Some(StringId(*known))
    }

    /// Decodes the string with a number, without interning it.
    pub(super) fn decode(&self, number: u32) -> Option<String> {
        self.strings.get(self.text, u64::from(number))
    }
}

/// A position in the original source of a script.
#[derive(Clone, Copy)]
pub(super) struct OriginalPosition {
    source: u32,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// Scripts of a recording, added to its tables.
#[derive(Default)]
pub(super) struct Scripts {
    /// Recording-wide numbers of the rows of the source table.
    numbers: Vec<u32>,
    originals: Vec<OriginalPosition>,
}

impl Scripts {
    /// Adds scripts. Each row stays a separate script.
    pub(super) fn add(columns: &SourceColumns, texts: &mut Texts<'_>, builder: &mut StackTablesBuilder) -> Self {
        let empty = builder.text("");
        let add = |row| {
            let file = texts.get(builder, at(&columns.file, row)).unwrap_or(empty);
            let id = texts.get(builder, at(&columns.id, row)).unwrap_or(empty);
            builder.push_source(ScriptSource { file, id })
        };
        let numbers: Vec<u32> = (0..columns.file.len()).map(add).collect();
        let original = |row| OriginalPosition {
            source: at(&numbers, at(&columns.place_source, row) as usize),
            line: at(&columns.place_line, row),
            column: at(&columns.place_column, row),
        };
        let originals = (0..columns.place_source.len()).map(original).collect();
        Self { numbers, originals }
    }

    /// The original position with a number.
    pub(super) fn original(&self, number: u32) -> Option<&OriginalPosition> {
        self.originals.get(number as usize)
    }
}

/// Recording-wide numbers of the functions and native symbols of a table.
#[derive(Default)]
pub(super) struct Functions {
    pub(super) funcs: Vec<FuncId>,
    pub(super) native_symbols: Vec<u32>,
}

/// The data that functions of a table refer to.
pub(super) struct FunctionInputs<'r, 'a> {
    pub(super) texts: &'r mut Texts<'a>,
    pub(super) scripts: &'r Scripts,
    /// Names of libraries, for tables without their own.
    pub(super) libraries: &'r [u64],
    /// True if each row stays a separate function; otherwise equal functions are merged.
    pub(super) are_numbered: bool,
}

impl FunctionInputs<'_, '_> {
    /// Adds the functions of a table and everything they refer to. `frames` provide the original positions of functions
    /// without their own.
    pub(super) fn add(
        &mut self,
        columns: &FuncColumns,
        frames: &Frames,
        builder: &mut StackTablesBuilder,
        warnings: &mut Warnings,
    ) -> Functions {
        let resources = self.resources(columns, builder);
        let places = original_positions(columns, frames);
        let unknown = builder.text(UNKNOWN_NAME);
        let empty = builder.text("");
        let mut funcs = Vec::with_capacity(columns.name.len());
        let mut missing = 0;
        for row in 0..columns.name.len() {
            let name = self.texts.get(builder, columns.name[row]);
            missing += u64::from(name.is_none());
            let mut flags = FuncFlags::default();
            for (column, flag) in
                [(&columns.is_js, FuncFlags::IS_JS), (&columns.relevant_for_js, FuncFlags::RELEVANT_FOR_JS)]
            {
                if column.get(row) == Some(&true) {
                    flags = flags.with(flag);
                }
            }
            let (mut source, mut line, mut column) = (NONE, at(&columns.line, row), at(&columns.column, row));
            let script = at(&columns.source, row);
            if script != NONE {
                source = at(&self.scripts.numbers, script as usize);
                missing += u64::from(source == NONE);
            } else if let Some(file) = self.texts.get(builder, at(&columns.file, row)) {
                source = builder.source(ScriptSource { file, id: empty });
            }
            if let Some(own) = self.scripts.original(at(&columns.original, row)) {
                (source, line, column) = (own.source, own.line, own.column);
            } else if let Some(place) = self.scripts.original(at(&places, row)) {
                (source, line, column) = (place.source, NONE, NONE);
            }
            let resource = at(&columns.resource, row);
            let known = at(&resources, resource as usize);
            missing += u64::from(resource != NONE && known == NONE);
            let func = Func { name: name.unwrap_or(unknown), source, line, column, resource: known, flags };
            funcs.push(if self.are_numbered { builder.push_func(func) } else { builder.func(func) });
        }
        warnings.add_many(WarningKind::IndexOutOfRange, missing, || "funcTable".into());
        Functions { funcs, native_symbols: self.native_symbols(columns, builder) }
    }

    fn resources(&mut self, columns: &FuncColumns, builder: &mut StackTablesBuilder) -> Vec<u32> {
        let unnamed = if columns.resource_name.is_empty() { StringId(0) } else { builder.text(UNNAMED_RESOURCE) };
        let add = |row| {
            let name = self.texts.get(builder, columns.resource_name[row]).unwrap_or(unnamed);
            let kind = ResourceKind(Some(at(&columns.resource_kind, row)).filter(|kind| *kind <= 5).unwrap_or(0));
            let resource = Resource { name, kind };
            if self.are_numbered { builder.push_resource(resource) } else { builder.resource(resource) }
        };
        (0..columns.resource_name.len()).map(add).collect()
    }

    fn native_symbols(&mut self, columns: &FuncColumns, builder: &mut StackTablesBuilder) -> Vec<u32> {
        let libraries = if columns.libraries.is_empty() { self.libraries } else { &columns.libraries };
        let text = self.texts.text;
        let name_of = |offset: &u64| decode_string(text, usize::try_from(*offset).ok()?);
        let names: Vec<StringId> = if columns.symbol_name.is_empty() {
            Vec::new()
        } else {
            libraries.iter().map(|offset| builder.text(&name_of(offset).unwrap_or_default())).collect()
        };
        let unknown = builder.text(UNKNOWN_NAME);
        let empty = builder.text("");
        let add = |row| {
            let name = self.texts.get(builder, columns.symbol_name[row]).unwrap_or(unknown);
            let library = names.get(at(&columns.symbol_library, row) as usize).copied().unwrap_or(empty);
            builder.native_symbol(NativeSymbol { address: address_at(&columns.symbol_address, row), name, library })
        };
        (0..columns.symbol_name.len()).map(add).collect()
    }
}

/// For functions without their own original position, the position of their first frame that has one.
fn original_positions(columns: &FuncColumns, frames: &Frames) -> Vec<u32> {
    if frames.original.iter().all(|place| *place == NONE) {
        return Vec::new();
    }
    let mut places = vec![NONE; columns.name.len()];
    for (func, place) in frames.func.iter().zip(&frames.original) {
        if let Some(known) = places.get_mut(*func as usize).filter(|known| **known == NONE) {
            *known = *place;
        }
    }
    places
}
