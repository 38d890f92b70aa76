//! Merges the stack tables of all threads into those of the recording, and renumbers the samples.
//!
//! Addresses of calling frames are return addresses, which may belong to the next line or function. Raw profiles
//! contain them unchanged; this module lowers them by one, as the Firefox Profiler does. The innermost address of a
//! sample is the position of the thread, so a frame with both uses is stored twice.

use std::sync::Arc;

use rayon::prelude::*;

use super::function_columns::SourceColumns;
use super::functions::{FunctionInputs, Functions, Scripts, Texts};
use super::order::callers_first;
use super::process::{Extension, ProcessTables};
use super::raw_functions::{self, RawFunction};
use super::renumber::{Numbers, SampledThread, StackUse};
use super::stack_columns::{Frames, StackColumns, Stacks, address_at, at};
use crate::firefox::derive::UNKNOWN_NAME;
use crate::firefox::joined::categories::{CategoryMap, compiled_by, compiled_scripts, default_category};
use crate::firefox::threads::sentinels::NONE;
use flowline_profile::samples::{Frame, Func};
use flowline_profile::{
    Category, FrameId, FuncId, StackId, StackTables, StackTablesBuilder, StringTable, ThreadSamples, WarningKind,
    Warnings,
};

/// Inputs that all threads of a recording share.
pub(in crate::firefox) struct Inputs<'a> {
    pub(in crate::firefox) text: &'a [u8],
    /// Tables that threads share.
    pub(in crate::firefox) shared: &'a StackColumns,
    pub(in crate::firefox) sources: &'a SourceColumns,
    pub(in crate::firefox) strings: &'a StringTable,
    /// Names of the libraries of a processed profile, as offsets of strings.
    pub(in crate::firefox) libraries: &'a [u64],
    /// Libraries and scripts of the processes of a raw profile.
    pub(in crate::firefox) processes: &'a [ProcessTables],
    pub(in crate::firefox) extensions: &'a [Extension],
    pub(in crate::firefox) category_maps: &'a [CategoryMap],
    /// True if samples have CPU times in a known unit.
    pub(in crate::firefox) has_cpu_unit: bool,
    /// True if frames do not contain the compiler of scripts.
    pub(in crate::firefox) ignores_implementation: bool,
}

/// Returns the tables, and the samples of each thread in the same order. Adds subcategories for compiled scripts.
pub(in crate::firefox) fn unite(
    inputs: &Inputs<'_>,
    mut threads: Vec<Option<SampledThread<'_>>>,
    categories: &mut Vec<Category>,
    warnings: &mut Warnings,
) -> (StackTables, Vec<Option<Box<ThreadSamples>>>) {
    if !threads.iter().flatten().any(|thread| thread.size() > 0) {
        return (StackTables::default(), threads.iter().map(|_| None).collect());
    }
    let mut union = Union::new(inputs, categories);
    let mut texts = Texts::new(inputs.text, inputs.strings);
    let scripts = Scripts::add(inputs.sources, &mut texts, &mut union.builder);
    let shared = if inputs.shared.is_empty() {
        Arc::new(Numbers::default())
    } else {
        let mut functions =
            FunctionInputs { texts: &mut texts, scripts: &scripts, libraries: inputs.libraries, are_numbered: true };
        let stacks = union.add_processed(inputs.shared, &mut functions, 0, || "the shared tables".into());
        Arc::new(stacks)
    };
    drop(texts);
    let numbers: Vec<Arc<Numbers>> = threads
        .iter_mut()
        .map(|thread| match thread {
            Some(thread) if !thread.sampled.stacks.is_empty() => Arc::new(union.add_thread(thread, &scripts)),
            _ => Arc::clone(&shared),
        })
        .collect();
    let Union { builder, warnings: found, .. } = union;
    warnings.merge(found);
    let finish = |(thread, numbers): (Option<SampledThread<'_>>, Arc<Numbers>)| match thread {
        Some(thread) if thread.size() > 0 => {
            let mut warnings = Warnings::default();
            let samples = thread.finish(&numbers, inputs.has_cpu_unit, &mut warnings);
            (Some(Box::new(samples)), warnings)
        }
        _ => (None, Warnings::default()),
    };
    let finished: Vec<_> = threads.into_par_iter().zip(numbers).with_max_len(1).map(finish).collect();
    let samples = finished.into_iter().map(|(samples, found)| {
        warnings.merge(found);
        samples
    });
    let samples = samples.collect();
    (builder.finish(), samples)
}

struct Union<'r, 'a> {
    inputs: &'r Inputs<'a>,
    builder: StackTablesBuilder,
    categories: &'r mut Vec<Category>,
    /// See [`compiled_scripts`].
    scripts_category: Option<usize>,
    warnings: Warnings,
}

impl<'r, 'a> Union<'r, 'a> {
    fn new(inputs: &'r Inputs<'a>, categories: &'r mut Vec<Category>) -> Self {
        let builder = StackTablesBuilder::new(default_category(categories));
        let scripts_category = compiled_scripts(categories).filter(|_| !inputs.ignores_implementation);
        Self { inputs, builder, categories, scripts_category, warnings: Warnings::default() }
    }

    fn add_thread(&mut self, thread: &mut SampledThread<'_>, scripts: &Scripts) -> Numbers {
        let stacks = std::mem::take(&mut thread.sampled.stacks);
        let locations = std::mem::take(&mut thread.sampled.locations);
        let (name, strings) = (thread.name, thread.strings);
        let place = || format!("tables of thread \"{name}\"");
        if !thread.sampled.is_raw {
            let mut texts = Texts::new(self.inputs.text, strings);
            let libraries = self.inputs.libraries;
            let mut functions = FunctionInputs { texts: &mut texts, scripts, libraries, are_numbered: false };
            return self.add_processed(&stacks, &mut functions, thread.process, place);
        }
        let no_process = ProcessTables::default();
        let process = self.inputs.processes.get(thread.process).unwrap_or(&no_process);
        let functions = raw_functions::add(&locations, process, self.inputs.extensions, &mut self.builder);
        self.add_raw(stacks, &functions, thread, place)
    }

    /// Adds the tables of a processed profile.
    fn add_processed(
        &mut self,
        tables: &StackColumns,
        functions: &mut FunctionInputs<'_, '_>,
        process: usize,
        place: impl Fn() -> String,
    ) -> Numbers {
        let Functions { funcs, native_symbols } =
            functions.add(&tables.functions, &tables.frames, &mut self.builder, &mut self.warnings);
        let mut missing = 0;
        let columns = &tables.frames;
        let mut frames = Vec::with_capacity(tables.frame_count());
        for row in 0..tables.frame_count() {
            let func = funcs.get(columns.func[row] as usize).copied();
            missing += u64::from(func.is_none());
            let func = func.unwrap_or_else(|| self.unknown_func());
            let mut frame = Frame { address: address_at(&columns.address, row), ..Frame::of(func) };
            (frame.line, frame.column) = (at(&columns.line, row), at(&columns.column, row));
            if let Some(original) = functions.scripts.original(at(&columns.original, row)) {
                (frame.line, frame.column) = (original.line, original.column);
            } else if functions.scripts.original(at(&tables.functions.original, columns.func[row] as usize)).is_some() {
                (frame.line, frame.column) = (NONE, NONE);
            }
            frame.native_symbol = at(&native_symbols, at(&columns.native_symbol, row) as usize);
            let depth = Some(at(&columns.inline_depth, row)).filter(|depth| *depth != NONE).unwrap_or(0);
            frame.inline_depth = u16::try_from(depth).unwrap_or(u16::MAX);
            let category = (at(&columns.category, row), at(&columns.subcategory, row));
            (frame.category, frame.subcategory) = self.category(process, category, &mut missing);
            let implementation = at(&columns.implementation, row);
            if implementation != NONE
                && let Some(scripts) = self.scripts_category
                && let Some(name) = functions.texts.decode(implementation)
            {
                frame.category = u16::try_from(scripts).unwrap_or(0);
                frame.subcategory = compiled_by(&mut self.categories[scripts], &name);
            }
            frames.push(frame);
        }
        self.warnings.add_many(WarningKind::IndexOutOfRange, missing, &place);
        let of_stacks = columns.category.is_empty() && !tables.stacks.category.is_empty();
        let stacks = &tables.stacks;
        let mut ids = FrameIds::new(frames.len());
        self.add_stacks(stacks, None, place, |union, row, _| {
            let number = stacks.frame[row] as usize;
            let frame = frames.get(number)?;
            if !of_stacks {
                return Some(ids.own(number, || union.builder.push_frame(*frame)));
            }
            let category = (at(&stacks.category, row), at(&stacks.subcategory, row));
            let mut unknown = 0;
            let (category, subcategory) = union.category(process, category, &mut unknown);
            union.warnings.add_many(WarningKind::IndexOutOfRange, unknown, || "categories of stacks".into());
            Some(union.builder.frame(Frame { category, subcategory, ..*frame }))
        })
    }

    /// Adds the tables of a thread of a raw profile.
    fn add_raw(
        &mut self,
        tables: StackColumns,
        functions: &[RawFunction],
        thread: &SampledThread<'_>,
        place: impl Fn() -> String,
    ) -> Numbers {
        let columns = &tables.frames;
        let mut missing = 0;
        let frames: Vec<Frame> = (0..tables.frame_count())
            .map(|row| {
                let function = functions.get(columns.func[row] as usize).copied();
                missing += u64::from(function.is_none());
                let function = function.unwrap_or_else(|| RawFunction { func: self.unknown_func(), address: u64::MAX });
                self.raw_frame(columns, row, function, thread.process, &mut missing)
            })
            .collect();
        // If the text of a thread ends early, its tables may be missing.
        let missing = if thread.sampled.is_damaged { 0 } else { missing };
        self.warnings.add_many(WarningKind::IndexOutOfRange, missing, &place);
        let uses = thread.uses(&tables.stacks);
        let stacks = &tables.stacks;
        let mut ids = FrameIds::new(frames.len());
        self.add_stacks(stacks, Some(&uses), place, |union, row, is_return| {
            let number = stacks.frame[row] as usize;
            let frame = *frames.get(number)?;
            if !is_return || frame.address == u64::MAX {
                return Some(ids.own(number, || union.builder.push_frame(frame)));
            }
            let lowered = Frame { address: frame.address.saturating_sub(1), ..frame };
            Some(ids.returned(number, || union.builder.push_frame(lowered)))
        })
    }

    fn raw_frame(
        &self,
        columns: &Frames,
        row: usize,
        function: RawFunction,
        process: usize,
        missing: &mut u64,
    ) -> Frame {
        let category = (at(&columns.category, row), at(&columns.subcategory, row));
        let (category, subcategory) = self.category(process, category, missing);
        Frame {
            address: function.address,
            line: at(&columns.line, row),
            column: at(&columns.column, row),
            category,
            subcategory,
            ..Frame::of(function.func)
        }
    }

    /// The recording-wide numbers of a category and subcategory of a process.
    fn category(&self, process: usize, (category, subcategory): (u32, u32), missing: &mut u64) -> (u16, u16) {
        const NO_CATEGORY: (u16, u16) = (u16::MAX, 0);
        if category == NONE {
            return NO_CATEGORY;
        }
        let map = self.inputs.category_maps.get(process);
        match map.and_then(|map| Some((map, map.ids.get(category as usize)?))) {
            Some((map, id)) => {
                let own = if subcategory == NONE { 0 } else { map.subcategory(category, subcategory) };
                (u16::try_from(id.0).unwrap_or(u16::MAX), own)
            }
            None => {
                // Without any categories, zero is valid.
                let is_valid = category == 0 && map.is_none_or(|map| map.ids.is_empty());
                *missing += u64::from(!is_valid);
                NO_CATEGORY
            }
        }
    }

    fn unknown_func(&mut self) -> FuncId {
        let name = self.builder.text(UNKNOWN_NAME);
        self.builder.func(Func::named(name))
    }

    /// Adds stacks, callers first. `frame` returns the frame of a row, which may differ if its address is a return
    /// address; `None` for a missing frame.
    fn add_stacks(
        &mut self,
        stacks: &Stacks,
        uses: Option<&[StackUse]>,
        place: impl Fn() -> String,
        mut frame: impl FnMut(&mut Self, usize, bool) -> Option<FrameId>,
    ) -> Numbers {
        let count = stacks.frame.len();
        let mut prefix = stacks.prefix.clone();
        if prefix.len() != count {
            self.warnings.add(WarningKind::ColumnLength, &place);
            prefix.resize(count, NONE);
        }
        let repair = callers_first(&mut prefix);
        self.warnings.add_many(WarningKind::StackOrder, repair.disordered, &place);
        let mut missing = repair.unknown;
        let mut own = vec![NONE; count];
        let mut returned = uses.map(|_| vec![NONE; count]);
        for step in 0..count {
            let row = repair.order.as_ref().map_or(step, |order| order[step] as usize);
            let caller = returned.as_ref().unwrap_or(&own).get(prefix[row] as usize).copied();
            let caller = caller.filter(|caller| *caller != NONE).map(StackId);
            let mut add = |union: &mut Self, is_return| {
                let frame = frame(union, row, is_return).unwrap_or_else(|| {
                    missing += 1;
                    let func = union.unknown_func();
                    union.builder.frame(Frame::of(func))
                });
                (union.builder.push_stack(caller, frame).0, frame)
            };
            let Some((uses, returned)) = uses.zip(returned.as_mut()) else {
                own[row] = add(self, false).0;
                continue;
            };
            let used = uses[row];
            if used.returned {
                returned[row] = add(self, true).0;
            }
            if used.own || !used.returned {
                own[row] = match returned[row] {
                    known if known != NONE && !self.has_address(known) => known,
                    _ => add(self, false).0,
                };
            }
        }
        self.warnings.add_many(WarningKind::IndexOutOfRange, missing, &place);
        Numbers { own, returned }
    }

    fn has_address(&self, stack: u32) -> bool {
        self.builder.tables().frame(StackId(stack)).address != u64::MAX
    }
}

/// Added frames, by their numbers in a table.
struct FrameIds {
    own: Vec<u32>,
    returned: Vec<u32>,
}

impl FrameIds {
    fn new(count: usize) -> Self {
        Self { own: vec![NONE; count], returned: Vec::new() }
    }

    fn own(&mut self, number: usize, add: impl FnOnce() -> FrameId) -> FrameId {
        known_or(&mut self.own[number], add)
    }

    fn returned(&mut self, number: usize, add: impl FnOnce() -> FrameId) -> FrameId {
        self.returned.resize(self.own.len(), NONE);
        known_or(&mut self.returned[number], add)
    }
}

fn known_or(known: &mut u32, add: impl FnOnce() -> FrameId) -> FrameId {
    if *known == NONE {
        *known = add().0;
    }
    FrameId(*known)
}
