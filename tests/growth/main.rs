//! Growth of costs: no command takes clearly more than n log n for inputs that are built to provoke it, such as deep nests, many names,
//! many fields, or everything at one time.
//!
//! Each command runs on an input of n, 2n and 4n items. The test compares ratios of CPU times, so it needs no absolute limit
//! and may run on any machine. `./dev growth` runs it with larger inputs, which show smaller faults.

#[path = "../support/mod.rs"]
mod support;

mod commands;
mod events;
mod measure;
mod packets;
mod pages;
mod profiles;

/// An input that is built to provoke growth.
struct Shape {
    name: &'static str,
    /// Number of items, the n of the smallest input of `./dev growth`.
    items: usize,
    make: fn(usize) -> Vec<u8>,
}

/// Creates a [`Shape`] named like its function.
macro_rules! shapes {
    ($($name:ident $items:literal)*) => {
        [$(crate::Shape { name: stringify!($name), items: $items, make: $name }),*]
    };
}
pub(crate) use shapes;

/// Divisor of the number of items without `FLOWLINE_GROWTH`. Small inputs are enough to find great faults.
const TEST_DIVISOR: usize = 20;

#[test]
fn no_command_grows_faster_than_n_log_n() {
    // The divisor of the number of items; 1 measures the whole inputs with all commands.
    let divisor = std::env::var("FLOWLINE_GROWTH").ok().and_then(|text| text.parse().ok());
    // Any text selects the shapes whose names contain it.
    let only = std::env::var("FLOWLINE_GROWTH_SHAPES").unwrap_or_default();
    let all = events::SHAPES.iter().chain(&pages::SHAPES).chain(&packets::SHAPES).chain(&profiles::SHAPES);
    let shapes: Vec<&Shape> = all.filter(|shape| only.split(',').any(|name| shape.name.contains(name))).collect();
    assert!(!shapes.is_empty(), "no shape is named like {only}");
    let mut faults = Vec::new();
    for (number, shape) in shapes.into_iter().enumerate() {
        let items = (shape.items / divisor.unwrap_or(TEST_DIVISOR)).max(1);
        // Without `FLOWLINE_GROWTH`, each shape is measured with every second command, so that the test takes less than two
        // minutes.
        let own = commands::COMMANDS.iter().skip(if divisor.is_some() { 0 } else { number % 2 });
        let own: Vec<&str> = own.step_by(if divisor.is_some() { 1 } else { 2 }).copied().collect();
        faults.extend(measure::measure(shape, items, &own));
    }
    assert!(faults.is_empty(), "these commands grow faster than n log n:\n{}", faults.join("\n"));
}
