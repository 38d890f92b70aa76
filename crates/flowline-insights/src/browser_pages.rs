//! Pages of the browser itself.

/// Beginnings of their addresses.
const OWN_SCHEMES: [&str; 6] = ["about:", "chrome:", "chrome-extension:", "moz-extension:", "resource:", "devtools:"];

/// True for pages of the browser itself.
pub(crate) fn is_of_browser(url: &str) -> bool {
    OWN_SCHEMES.iter().any(|scheme| url.starts_with(scheme))
}
