//! The measured commands.

/// The arguments of all measured commands. `FILE` stands for the input, `OUT` for an output file without ending, `LAST` for the
/// number of the last item. `dump calltree --invert` is absent because an inverted tree of a chain of functions has a node for each
/// function and each of its callers, so that its size is the square of the depth.
pub(crate) const COMMANDS: [&str; 26] = [
    "info FILE",
    "insights FILE",
    "stats FILE --by a,name --json",
    "stats FILE --of flows",
    "stats FILE --summary",
    "stats FILE --fields",
    "compare FILE FILE",
    "cut FILE -o OUT --range 0..1s",
    "cut FILE -o OUT --keep-flows --range 0..1ms",
    "export FILE -o OUT.csv",
    "render FILE -o OUT.svg --size 800x600 --select 0",
    "render FILE -o OUT.svg --size 800x600 --critical 0",
    "dump FILE path --marker 0",
    "dump FILE path --marker LAST",
    "dump FILE markers --search a:1",
    "dump FILE rows",
    "dump FILE flows",
    "dump FILE view",
    "dump FILE calltree",
    "dump FILE calls",
    "dump FILE frames",
    "dump FILE interactions",
    "dump FILE layout-shifts",
    "dump FILE network",
    "dump FILE counters",
    "dump FILE customtracks",
];
