//! Reads files that people write, such as rules and budgets.

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result};
use std::path::Path;

/// Maximum size in bytes. Files of people are far smaller; files without an end, such as devices, are not.
const MOST: u64 = 16 << 20;

/// Reads a whole file.
///
/// # Errors
/// If it cannot be read, or is larger than 16 MiB.
pub fn read_small_file(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(Error::new(ErrorKind::FileTooLarge, "the file is larger than 16 MiB"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_without_an_end_are_refused() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("flowline-small-{}", std::process::id()));
        std::fs::write(&path, b"text").expect("written");
        assert_eq!(read_small_file(&path).expect("small"), b"text");
        File::options().write(true).open(&path).and_then(|file| file.set_len(MOST)).expect("grown");
        assert_eq!(read_small_file(&path).expect("just small enough").len() as u64, MOST);
        File::options().write(true).open(&path).and_then(|file| file.set_len(MOST + 1)).expect("grown");
        assert_eq!(read_small_file(&path).expect_err("large").kind(), ErrorKind::FileTooLarge);
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(read_small_file(&path).expect_err("gone").kind(), ErrorKind::NotFound);
        #[cfg(target_os = "linux")]
        assert_eq!(read_small_file(Path::new("/dev/zero")).expect_err("no end").kind(), ErrorKind::FileTooLarge);
    }
}
