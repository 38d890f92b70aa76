//! Marker categories.

use crate::persist::persist;

/// A marker category.
#[derive(Clone, Debug)]
pub struct Category {
    /// Name.
    pub name: String,
    /// Color word from the recording (`blue`, `lightblue`, `grey`, ...).
    pub color: String,
    /// Names of its subcategories, which stacks refer to.
    pub subcategories: Vec<String>,
}
persist!(Category { name, color, subcategories });
