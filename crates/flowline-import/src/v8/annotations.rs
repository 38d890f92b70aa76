//! Annotations of Visual Studio Code, which maps the functions of a profile to their source files.
//!
//! It saves a `.cpuprofile` with `$vscode`, whose `locations` each node refers to by `locationId`, and works with a model
//! of the same profile, whose `locations` also contain the functions. Lines and columns of source files count from 1
//! (`vscode-js-profile-core/src/cpu/model.ts` in microsoft/vscode-js-profile-visualizer).

use super::call_frame::CallFrame;
use crate::scalar::scalar;
use flowline_json::{Cursor, JsonError, Kind};

/// A position in a source file.
#[derive(Clone, Copy, Debug)]
struct Place<'a> {
    path: &'a [u8],
    call: CallFrame<'a>,
}

/// The annotations, texts as written.
#[derive(Debug, Default)]
pub(super) struct Annotations<'a> {
    root: &'a [u8],
    /// The function, if stated, and the places of each location.
    list: Vec<(Option<CallFrame<'a>>, Vec<Place<'a>>)>,
}

impl<'a> Annotations<'a> {
    /// Reads the object at the cursor: root folder and locations.
    ///
    /// # Errors
    /// If the value is not an object or the text is damaged.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            match key.bytes {
                b"rootPath" => self.root = scalar(cursor)?.map_or(&[], |raw| raw.bytes),
                b"locations" if cursor.peek()? == Kind::Array => self.locations(cursor)?,
                _ => cursor.skip_value()?,
            }
        }
        Ok(())
    }

    /// Reads the list of locations at the cursor.
    ///
    /// # Errors
    /// If the value is not a list or the text is damaged.
    pub(super) fn locations(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        cursor.enter_array()?;
        while cursor.next_element()? {
            let mut location = (None, Vec::new());
            if cursor.peek()? == Kind::Object {
                cursor.enter_object()?;
                while let Some(key) = cursor.next_key()? {
                    match (key.bytes, cursor.peek()?) {
                        (b"callFrame", Kind::Object) => location.0 = Some(CallFrame::read(cursor)?),
                        (b"src", Kind::Object) => location.1.push(place(cursor)?),
                        (b"locations", Kind::Array) => {
                            cursor.enter_array()?;
                            while cursor.next_element()? {
                                if cursor.peek()? == Kind::Object {
                                    location.1.push(place(cursor)?);
                                } else {
                                    cursor.skip_value()?;
                                }
                            }
                        }
                        _ => cursor.skip_value()?,
                    }
                }
            } else {
                cursor.skip_value()?;
            }
            self.list.push(location);
        }
        Ok(())
    }

    /// Applies a location to the function of a node: the first place in the root folder, else the first place.
    pub(super) fn apply(&self, location: u32, call: &mut CallFrame<'a>) {
        let Some((stated, places)) = self.list.get(location as usize) else { return };
        if let Some(stated) = stated.filter(|_| *call == CallFrame::UNKNOWN) {
            *call = stated;
        }
        let is_inside = |place: &&Place<'_>| !self.root.is_empty() && place.path.starts_with(self.root);
        let best = places.iter().find(is_inside).or(places.first());
        if let Some(place) = best.filter(|place| !place.path.is_empty()) {
            *call = CallFrame { url: place.path, line: place.call.line, column: place.call.column, ..*call };
        }
    }
}

/// Reads the place at the cursor.
fn place<'a>(cursor: &mut Cursor<'a>) -> Result<Place<'a>, JsonError> {
    let mut place = Place { path: &[], call: CallFrame::UNKNOWN };
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        if key.bytes == b"source" && cursor.peek()? == Kind::Object {
            let mut name: &[u8] = &[];
            cursor.enter_object()?;
            while let Some(key) = cursor.next_key()? {
                match key.bytes {
                    b"path" => place.path = scalar(cursor)?.map_or(&[], |raw| raw.bytes),
                    b"name" => name = scalar(cursor)?.map_or(&[], |raw| raw.bytes),
                    _ => cursor.skip_value()?,
                }
            }
            if place.path.is_empty() {
                place.path = name;
            }
        } else {
            place.call.member(key.bytes, 1, cursor)?;
        }
    }
    Ok(place)
}
