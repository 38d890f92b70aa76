//! Libraries and scripts that functions of a raw profile's process refer to, and the add-ons of a recording.

use crate::firefox::document::damage::warn_damage;
use crate::firefox::document::outline::ignore_wrong_type;
use flowline_json::{Cursor, decode_value};
use flowline_profile::{Value, Warnings};

/// Libraries and scripts of a process.
#[derive(Debug, Default)]
pub(in crate::firefox) struct ProcessTables {
    /// Sorted by address.
    libraries: Vec<Library>,
    /// Scripts: id and file name.
    pub(super) sources: Vec<Option<(String, String)>>,
}

/// A library in memory.
#[derive(Debug)]
struct Library {
    start: u64,
    end: u64,
    offset: u64,
    name: String,
}

impl ProcessTables {
    /// Reads the members `libs` and `sources` of a raw profile. Omits libraries without an address or a name.
    pub(in crate::firefox) fn read(
        libraries: Option<Cursor<'_>>,
        sources: Option<Cursor<'_>>,
        warnings: &mut Warnings,
    ) -> Self {
        let mut tables = Self::default();
        if let Some(mut cursor) = libraries {
            let result = tables.read_libraries(&mut cursor);
            if let Err(error) = ignore_wrong_type(result) {
                warn_damage(warnings, error, || "in libs".into());
            }
            tables.libraries.sort_by_key(|library| library.start);
        }
        if let Some(mut cursor) = sources {
            match decode_value(&mut cursor) {
                Ok(value) => tables.sources = read_sources(&value),
                Err(error) => warn_damage(warnings, error, || "in sources".into()),
            }
        }
        tables
    }

    fn read_libraries(&mut self, cursor: &mut Cursor<'_>) -> Result<(), flowline_json::JsonError> {
        cursor.enter_array()?;
        while cursor.next_element()? {
            let library = decode_value(cursor)?;
            let number = |key: &str| library.get(key).and_then(whole);
            let Some(((start, end), name)) =
                number("start").zip(number("end")).zip(library.get("name").and_then(Value::as_str))
            else {
                continue;
            };
            let offset = number("offset").unwrap_or(0);
            self.libraries.push(Library { start, end, offset, name: name.to_owned() });
        }
        Ok(())
    }

    /// The library at an address: its name, and the address within the library.
    pub(super) fn library(&self, address: u64) -> Option<(&str, u64)> {
        let after = self.libraries.partition_point(|library| library.start <= address);
        let library = self.libraries.get(after.checked_sub(1)?)?;
        let place = (address - library.start).wrapping_add(library.offset);
        (address < library.end).then_some((&library.name, place))
    }
}

fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::Int(number) => u64::try_from(*number).ok(),
        Value::Uint(number) => Some(*number),
        _ => None,
    }
}

/// The rows of `{schema, data}`; rows without a script keep their number.
fn read_sources(value: &Value) -> Vec<Option<(String, String)>> {
    let column = |key: &str| value.get("schema")?.get(key)?.as_i64().and_then(|column| usize::try_from(column).ok());
    let Some(Value::List(rows)) = value.get("data") else { return Vec::new() };
    let (id, file) = (column("id").or_else(|| column("uuid")), column("filename"));
    let source = |row: &Value| {
        let Value::List(cells) = row else { return None };
        let text = |column: Option<usize>| cells.get(column?)?.as_str().map(str::to_owned);
        Some((text(id).unwrap_or_default(), text(file)?))
    };
    rows.iter().map(source).collect()
}

/// An add-on.
#[derive(Clone, Debug)]
pub(in crate::firefox) struct Extension {
    /// Scheme and host of its pages and scripts.
    pub(super) origin: String,
    /// Its name with its id.
    pub(super) name: String,
}

/// The add-ons in `meta.extensions` of a raw profile: `{schema, data}`.
pub(in crate::firefox) fn extensions(meta: &Value) -> Vec<Extension> {
    let Some(table) = meta.get("extensions") else { return Vec::new() };
    let column = |key: &str| table.get("schema")?.get(key)?.as_i64().and_then(|column| usize::try_from(column).ok());
    let (id, name, address) = (column("id"), column("name"), column("baseURL"));
    let Some(Value::List(rows)) = table.get("data") else { return Vec::new() };
    let extension = |row: &Value| {
        let Value::List(cells) = row else { return None };
        let text = |column: Option<usize>| cells.get(column?)?.as_str();
        let (id, name) = (text(id)?, text(name)?);
        let origin = origin(text(address)?)?;
        Some(Extension { origin, name: format!("Extension \"{name}\" (ID: {id})") })
    };
    rows.iter().filter_map(extension).collect()
}

/// Scheme and host of a web or add-on URL: in lower case, without user, path and default port.
pub(super) fn origin(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let usual = match scheme.as_str() {
        "http" => ":80",
        "https" => ":443",
        "moz-extension" => "",
        _ => return None,
    };
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host).to_ascii_lowercase();
    let host = if usual.is_empty() { &host } else { host.strip_suffix(usual).unwrap_or(&host) };
    (!host.is_empty()).then(|| format!("{scheme}://{host}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_of_the_web_and_of_add_ons() {
        let cases = [
            ("https://User@Example.org:443/a?b", Some("https://example.org")),
            ("http://127.0.0.1:8765/x.js", Some("http://127.0.0.1:8765")),
            ("HTTP://a", Some("http://a")),
            ("moz-extension://ab-c/lib/x.js", Some("moz-extension://ab-c")),
            ("resource://gre/modules/X.sys.mjs", None),
            ("self-hosted", None),
            ("http:///x", None),
        ];
        for (address, expected) in cases {
            assert_eq!(origin(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn libraries_are_found_by_address() {
        let text = br#"[{"name":"b","start":200,"end":300,"offset":16},{"name":"a","start":100,"end":150},
            {"start":1,"end":2},7,{"name":"top","start":18446744073709551000,"end":18446744073709551615,"offset":0}]"#;
        let mut warnings = Warnings::default();
        let tables = ProcessTables::read(Some(Cursor::at(text, 0)), None, &mut warnings);
        let found = |address| tables.library(address);
        assert_eq!((found(99), found(100), found(149), found(150)), (None, Some(("a", 0)), Some(("a", 49)), None));
        assert_eq!((found(210), found(300)), (Some(("b", 26)), None));
        assert_eq!(found(18_446_744_073_709_551_001), Some(("top", 1)));
        assert!(warnings.list().is_empty());
    }
}
