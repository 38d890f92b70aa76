//! Functions of raw profiles, derived from frame texts and from the libraries and scripts of their process.

use super::location::{FrameOrigin, Location};
use super::process::{Extension, ProcessTables, origin};
use flowline_profile::samples::{Func, FuncFlags, Resource, ResourceKind, ScriptSource};
use flowline_profile::{FuncId, StackTablesBuilder};

/// A function, and the address of its frame within the library; `u64::MAX` if unknown.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawFunction {
    pub(super) func: FuncId,
    pub(super) address: u64,
}

/// Adds the functions of the locations of a thread.
pub(super) fn add(
    locations: &[Location],
    process: &ProcessTables,
    extensions: &[Extension],
    builder: &mut StackTablesBuilder,
) -> Vec<RawFunction> {
    locations.iter().map(|location| add_one(location, process, extensions, builder)).collect()
}

fn add_one(
    location: &Location,
    process: &ProcessTables,
    extensions: &[Extension],
    builder: &mut StackTablesBuilder,
) -> RawFunction {
    let mut func = Func::named(builder.text(&location.name));
    let mut address = u64::MAX;
    let resource = |builder: &mut StackTablesBuilder, name: &str, kind| {
        let name = builder.text(name);
        builder.resource(Resource { name, kind })
    };
    match &location.place {
        FrameOrigin::Address(place) => {
            if let Some((library, inside)) = process.library(*place) {
                address = inside;
                func.resource = resource(builder, library, ResourceKind::LIBRARY);
            }
        }
        FrameOrigin::Unknown => {}
        FrameOrigin::Library(library) => func.resource = resource(builder, library, ResourceKind::LIBRARY),
        FrameOrigin::Script { address: script, line, column, source } => {
            let origin = origin(script);
            let addon = extensions.iter().find(|addon| Some(&addon.origin) == origin.as_ref());
            let (name, kind) = match (addon, &origin) {
                (Some(addon), _) => (&addon.name, ResourceKind::ADDON),
                (None, Some(origin)) => (origin, ResourceKind::WEBHOST),
                (None, None) => (script, ResourceKind::URL),
            };
            func.resource = resource(builder, name, kind);
            let known = process.sources.get(*source as usize).and_then(Option::as_ref);
            let (id, file) = known.map_or(("", script.as_str()), |(id, file)| (id, file));
            let source = ScriptSource { file: builder.text(file), id: builder.text(id) };
            func.source = builder.source(source);
            (func.line, func.column) = (*line, *column);
            func.flags = FuncFlags::IS_JS;
        }
        FrameOrigin::Label { relevant_for_js: true } => func.flags = FuncFlags::RELEVANT_FOR_JS,
        FrameOrigin::Label { relevant_for_js: false } => {}
    }
    RawFunction { func: builder.func(func), address }
}
