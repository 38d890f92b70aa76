//! Names and categories of slices as views into shared buffers, so that a column of names copies no text.

use datafusion::arrow::array::{Array as _, ArrayRef, StringViewArray, StringViewBuilder};
use datafusion::arrow::buffer::{Buffer, ScalarBuffer};
use std::sync::Arc;

use flowline_profile::{CategoryId, Profile, StringId};

/// Texts with a view for each.
#[derive(Debug)]
struct Views {
    views: ScalarBuffer<u128>,
    buffers: Arc<[Buffer]>,
}

impl Views {
    fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut builder = StringViewBuilder::new();
        texts.for_each(|text| builder.append_value(text));
        // Numbers that do not exist have empty names.
        builder.append_value("");
        let array = builder.finish();
        Self { views: array.views().clone(), buffers: array.data_buffers().to_vec().into() }
    }

    fn get(&self, number: usize) -> u128 {
        self.views[number.min(self.views.len() - 1)]
    }

    fn column(&self, views: Vec<u128>) -> ArrayRef {
        let array = StringViewArray::try_new(views.into(), self.buffers.to_vec(), None);
        Arc::new(array.expect("views of these buffers"))
    }
}

/// Names and categories of a recording.
#[derive(Debug)]
pub(crate) struct Names {
    names: Views,
    categories: Views,
}

impl Names {
    pub(super) fn new(profile: &Profile) -> Self {
        Self {
            names: Views::new(profile.strings.iter().map(|(_, text)| text)),
            categories: Views::new(profile.categories.iter().map(|category| category.name.as_str())),
        }
    }

    /// A column of names.
    pub(crate) fn names(&self, ids: impl Iterator<Item = StringId>) -> ArrayRef {
        self.names.column(ids.map(|id| self.names.get(id.index())).collect())
    }

    /// A column of categories.
    pub(crate) fn categories(&self, ids: impl Iterator<Item = CategoryId>) -> ArrayRef {
        self.categories.column(ids.map(|id| self.categories.get(id.index())).collect())
    }
}

/// A column with the same text in every row.
pub(crate) fn constant(text: &str, rows: usize) -> ArrayRef {
    let one = StringViewArray::from(vec![text]);
    let views = vec![one.views()[0]; rows];
    let array = StringViewArray::try_new(views.into(), one.data_buffers().to_vec(), one.nulls().cloned());
    Arc::new(array.expect("views of this buffer"))
}
