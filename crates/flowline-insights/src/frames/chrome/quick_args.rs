//! The arguments of the compositor's events, read without decoding the others. Anything unusual is left to the decoder, so
//! speed never decides what is understood.

use flowline_profile::{LocalMarker, Profile, Thread};

/// Arguments that frames are read from; `None` for those that are not stated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct QuickArgs {
    /// `layerTreeId`.
    pub(super) tree: Option<i64>,
    /// `frameSeqId`.
    pub(super) sequence: Option<i64>,
    /// `hasPartialUpdate`.
    pub(super) is_partial: Option<bool>,
    /// `frameId` of the data.
    pub(super) number: Option<i64>,
    /// `frame` of the data: the frame of the page.
    pub(super) frame: Option<String>,
    /// `layerTreeId` of the data.
    pub(super) frame_tree: Option<i64>,
    /// `needsBeginFrame` of the data.
    pub(super) is_needed: Option<bool>,
}

impl QuickArgs {
    /// The arguments of an event; `None` if they are not written as usual, or stated in two events.
    pub(super) fn read(profile: &Profile, thread: &Thread, marker: LocalMarker) -> Option<Self> {
        if thread.markers.supplement(marker).is_some() {
            return None;
        }
        let place = thread.markers.payload(marker);
        profile.source.with_payload(place, |cursor| {
            let (mut own, mut has_data) = (Self::default(), false);
            cursor.enter_object().ok()?;
            while let Some(key) = cursor.next_key().ok()? {
                if key.is("layerTreeId") {
                    set(&mut own.tree, integer(cursor.scalar().ok()?))?;
                } else if key.is("frameSeqId") {
                    set(&mut own.sequence, integer(cursor.scalar().ok()?))?;
                } else if key.is("hasPartialUpdate") {
                    set(&mut own.is_partial, truth(cursor.scalar().ok()?))?;
                } else if key.is("data") {
                    if std::mem::replace(&mut has_data, true) {
                        return None;
                    }
                    cursor.enter_object().ok()?;
                    while let Some(key) = cursor.next_key().ok()? {
                        if key.is("frameId") {
                            set(&mut own.number, integer(cursor.scalar().ok()?))?;
                        } else if key.is("layerTreeId") {
                            set(&mut own.frame_tree, integer(cursor.scalar().ok()?))?;
                        } else if key.is("frame") {
                            let text = cursor.string().ok()?;
                            set(&mut own.frame, (!text.has_escapes()).then(|| text.decode()))?;
                        } else if key.is("needsBeginFrame") {
                            set(&mut own.is_needed, truth(cursor.scalar().ok()?))?;
                        } else {
                            cursor.skip_value().ok()?;
                        }
                    }
                } else {
                    cursor.skip_value().ok()?;
                }
            }
            Some(own)
        })?
    }
}

/// Sets a value that is stated once.
fn set<T>(place: &mut Option<T>, value: Option<T>) -> Option<()> {
    if place.is_some() || value.is_none() {
        return None;
    }
    *place = value;
    Some(())
}

fn integer(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn truth(text: &[u8]) -> Option<bool> {
    match text {
        b"true" => Some(true),
        b"false" => Some(false),
        _ => None,
    }
}
