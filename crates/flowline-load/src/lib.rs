//! Opens a recording for a program: a file, standard input or the bundled example, with the user's flow rules and the
//! cache of indexes.

mod load;
mod origin;
mod small_file;
mod user_rules;

pub use load::{CacheUse, Early, LoadReport, Loaded, index_imported, load, open, open_with_callbacks};
pub use origin::Origin;
pub use small_file::read_small_file;
pub use user_rules::UserRules;
