//! Decodes objects that the browser describes itself: nodes of documents. The size before each description skips what is
//! not known.

use super::values::{Decoder, quoted};

/// The known version of descriptions.
const VERSION: u8 = 1;
/// Kind of description: a node of a document.
const NODE: u8 = 1;
/// The bit beside the kind of a node: it is in a document.
const IS_CONNECTED: u8 = 0x80;

/// An object of the browser: its class, or a node as markup.
pub(super) fn external(own: &mut Decoder<'_>, is_inner: bool) -> Option<String> {
    let class = own.class()?;
    let first = own.reader.place();
    let size = own.reader.u32()?;
    let end = first.checked_add(size as usize)?;
    let node = if own.reader.byte()? == VERSION && own.reader.byte()? == NODE { node(own, is_inner) } else { None };
    own.reader.jump(end);
    Some(node.map_or_else(|| class.clone(), |node| format!("{class} {node}")))
}

fn node(own: &mut Decoder<'_>, is_inner: bool) -> Option<String> {
    let _type = own.reader.u16()?;
    let name = own.reader.text()?.to_lowercase();
    Some(match own.reader.byte()? & !IS_CONNECTED {
        1 => {
            let count = own.reader.u32()?;
            let attribute = |own: &mut Decoder<'_>| {
                let (name, value) = (own.reader.text()?, own.reader.text()?);
                Some(format!("{name}={}", quoted(&value)))
            };
            let attributes = own.members(count, attribute)?.replace(", ", " ");
            if attributes.is_empty() { format!("<{name}>") } else { format!("<{name} {attributes}>") }
        }
        2 => format!("{name}={}", quoted(&own.reader.text()?)),
        3 => own.reader.text()?,
        4 => {
            let count = own.reader.u32()?;
            let nodes = if is_inner { String::new() } else { own.members(count, |own| own.value(true))? };
            format!("({count}) [{nodes}]")
        }
        5 | 6 => quoted(&own.reader.text()?),
        _ => format!("<{name}>"),
    })
}
