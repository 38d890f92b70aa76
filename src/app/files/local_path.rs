//! The path of a source file as an editor argument.
//!
//! Recordings come from untrusted sources, so file names in them may be hostile: `+!command` runs a command in vim,
//! `-exec` is an option everywhere, `scheme:` and Emacs' `/method:host:` open connections, control characters end
//! lines. Every editor treats an argument that starts with `/` or `./` as a path; anything that could be more than a
//! path is refused.

/// Returns the editor argument for a file named in a recording: an absolute path, or a relative path that starts with
/// `./`. `file:` URLs are decoded.
///
/// # Errors
/// A message that explains why the name is not a local file.
pub(super) fn local_path(name: &str) -> Result<String, String> {
    let path = match strip_scheme(name, "file") {
        Some(address) => decoded(address).ok_or_else(|| refusal(name, "is not the URL of a file on this machine"))?,
        None => name.to_owned(),
    };
    if path.is_empty() {
        return Err("The recording does not name a file".into());
    }
    if path.chars().any(char::is_control) {
        return Err(refusal(name, "contains control characters"));
    }
    if cfg!(windows) && is_windows_path(&path) {
        return Ok(path);
    }
    // Editors resolve `.` and `..` before they look for a host, so both are resolved here as well.
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    let is_remote = parts.first().is_some_and(|first| first.contains(':'));
    if is_remote || path.starts_with(r"\\") {
        return Err(refusal(name, "is not a path on this machine"));
    }
    Ok(if path.starts_with('/') { path } else { format!("./{path}") })
}

fn refusal(name: &str, why: &str) -> String {
    format!("“{}” {why}, so no editor was started", name.escape_debug())
}

/// Returns the rest of a URL after its scheme.
fn strip_scheme<'a>(name: &'a str, scheme: &str) -> Option<&'a str> {
    let (found, rest) = name.split_once(':')?;
    found.eq_ignore_ascii_case(scheme).then_some(rest)
}

/// Returns the percent-decoded path of a `file:` URL; `None` if it is on another machine or not valid UTF-8.
fn decoded(address: &str) -> Option<String> {
    let path = match address.strip_prefix("//") {
        Some(rest) => {
            let (host, _) = rest.split_once('/')?;
            (host.is_empty() || host.eq_ignore_ascii_case("localhost")).then(|| &rest[host.len()..])?
        }
        None => address,
    };
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes().iter();
    while let Some(byte) = rest.next() {
        if *byte != b'%' {
            bytes.push(*byte);
            continue;
        }
        let digit = |byte: Option<&u8>| char::from(*byte?).to_digit(16);
        let value = digit(rest.next())? * 16 + digit(rest.next())?;
        bytes.push(u8::try_from(value).ok()?);
    }
    let path = String::from_utf8(bytes).ok()?;
    // `file:///C:/x` names `C:/x`.
    let drive = path.strip_prefix('/').filter(|path| cfg!(windows) && is_windows_path(path));
    Some(drive.unwrap_or(&path).to_owned())
}

/// Returns true for paths with a drive letter, such as `C:\x`.
fn is_windows_path(path: &str) -> bool {
    matches!(path.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_unambiguous_for_every_editor() {
        for (name, path) in [
            ("/a/b c.rs", "/a/b c.rs"),
            ("src/main.rs", "./src/main.rs"),
            ("../x.js", "./../x.js"),
            ("./x.js", "././x.js"),
            ("file:///tmp/work/a%20b.mjs", "/tmp/work/a b.mjs"),
            ("FILE:/tmp/%C3%A9.js", "/tmp/é.js"),
            ("file://localhost/x", "/x"),
            ("+!touch /tmp/x", "./+!touch /tmp/x"),
            ("+42", "./+42"),
            ("--help", "./--help"),
            ("-c", "./-c"),
            ("~root/x", "./~root/x"),
            ("a/b:c.rs", "./a/b:c.rs"),
            ("{line}", "./{line}"),
            ("100%.js", "./100%.js"),
        ] {
            assert_eq!(local_path(name).as_deref(), Ok(path), "{name}");
        }
    }

    #[test]
    fn names_that_may_be_more_than_a_path_are_refused() {
        for name in [
            "",
            "https://example.org/a.js",
            "webpack:///src/a.js",
            "node:fs",
            "ssh:host:/x",
            "/ssh:host:/x",
            "/./ssh:host:/x",
            "/a/../sudo::/etc/passwd",
            "../../ssh:host:/x",
            "file://host/x",
            "file:///tmp/%0Ax",
            "file:///tmp/%zz",
            "file:///tmp/%ff",
            "file:///ssh%3Ahost:/x",
            "a\nb",
            "a\u{1b}[31m",
            r"\\host\share\x",
        ] {
            assert!(local_path(name).is_err(), "{name}");
        }
    }
}
