//! The text of a profile as a whole: its outline, and its parts apart from threads.

pub(super) mod damage;
pub(super) mod meta;
pub(super) mod outline;
pub(super) mod pages;
pub(super) mod parts;
pub(super) mod slabs;
