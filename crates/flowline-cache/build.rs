//! Computes a number that identifies how recordings are read and stored: the sources of this package and of those that it
//! builds on, and the versions of all dependencies. All programs built from the same sources share cached indexes.

use std::path::{Path, PathBuf};

/// The packages that decide on the contents of an index.
const READERS: [&str; 6] =
    ["flowline-cache", "flowline-format", "flowline-import", "flowline-index", "flowline-json", "flowline-profile"];

fn main() {
    let packages = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo")).join("..");
    let mut files = Vec::new();
    for package in READERS {
        let folder = packages.join(package).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        collect(&folder, &mut files);
    }
    let lock = packages.join("../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    files.push(lock);
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        // Outside of the repository there are no sources beside this package; its version then decides.
        let Ok(text) = std::fs::read(&file) else { continue };
        for byte in text {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    println!("cargo::rustc-env=FLOWLINE_READERS={hash:016x}");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
