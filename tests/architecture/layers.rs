//! The layers as documented and as built. Manifests state what a crate may use and the compiler enforces it; these tests keep the table of
//! ARCHITECTURE.md equal to the manifests, and manifests free of crates that no code uses.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Package, code, names_crate, read, root};

/// Crates of this workspace and other crates that a package uses.
#[derive(Debug, Default, PartialEq, Eq)]
struct Uses {
    own: BTreeSet<String>,
    outside: BTreeSet<String>,
}

/// The crate that only states features of dependencies.
const FEATURES: &str = "flowline-features";

/// The packages with code.
fn packages() -> impl Iterator<Item = Package> {
    Package::all().into_iter().filter(|package| package.name != FEATURES)
}

/// The dependencies of a package that its code can name.
fn dependencies(package: &Package) -> impl Iterator<Item = String> {
    package.dependencies().into_iter().filter(|name| name != FEATURES)
}

fn manifests() -> BTreeMap<String, Uses> {
    let uses = |package: &Package| {
        let (own, outside) = dependencies(package).partition(|name| name.starts_with("flowline-"));
        Uses { own, outside }
    };
    packages().map(|package| (package.name.clone(), uses(&package))).collect()
}

/// The table of ARCHITECTURE.md: `| crate | contents | uses | outside crates |`.
fn documented() -> BTreeMap<String, Uses> {
    let text = read(&root().join("ARCHITECTURE.md"));
    let lines = text.lines().skip_while(|line| !line.starts_with("| crate |")).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|'));
    let list = |cell: &str, prefix: &str| -> BTreeSet<String> {
        let names = cell.split(',').map(|name| name.trim().trim_matches('`')).filter(|name| *name != "-");
        names.map(|name| format!("{prefix}{name}")).collect()
    };
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, own, outside] = cells[..] else { panic!("four columns: {row}") };
        (name.trim_matches('`').to_owned(), Uses { own: list(own, "flowline-"), outside: list(outside, "") })
    })
    .collect()
}

#[test]
fn architecture_md_has_the_dependencies_of_the_manifests() {
    let (documented, manifests) = (documented(), manifests());
    assert_eq!(documented.keys().collect::<Vec<_>>(), manifests.keys().collect::<Vec<_>>());
    for (name, uses) in &manifests {
        assert_eq!(&documented[name], uses, "{name}: ARCHITECTURE.md on the left, Cargo.toml on the right");
    }
}

#[test]
fn libraries_for_readers_use_no_graphics_crate() {
    let manifests = manifests();
    let mut open = vec!["flowline-index", "flowline-import", "flowline-cache"];
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        if !seen.insert(name) {
            continue;
        }
        let uses = &manifests[name];
        let graphics = uses.outside.iter().find(|name| ["egui", "wgpu", "winit", "glyphon"].contains(&name.as_str()));
        assert_eq!(graphics, None, "{name}");
        open.extend(uses.own.iter().map(String::as_str));
    }
    assert!(seen.contains("flowline-profile"));
}

#[test]
fn every_dependency_is_used() {
    for package in packages() {
        let sources: Vec<String> = package.sources().iter().map(|(_, source)| code(source)).collect();
        let unused = |name: &String| {
            let in_code = name.replace('-', "_");
            !sources.iter().any(|source| names_crate(source, &in_code))
        };
        let unused: Vec<String> = dependencies(&package).filter(unused).collect();
        assert_eq!(unused, [""; 0], "{}", package.name);
    }
}

#[test]
fn the_application_does_not_use_the_command_line() {
    let packages = Package::all();
    let app = packages[0].sources().into_iter().filter(|(path, _)| path.starts_with("app/"));
    let upward: Vec<String> =
        app.filter(|(_, source)| code(source).contains("crate::cli")).map(|(path, _)| path).collect();
    assert_eq!(upward, [""; 0]);
}
