//! Writes a bundle of kernel events (`FtraceEventBundle`) again with the kept ones.

use super::kernel::ItemUse;
use super::kernel_item::{RENAME, RawForm, RawItem, SWITCH, WAKING, raw_items};
use super::message::{MessageBytes, raw_fields};

/// Result of cutting a bundle.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CutBundle {
    /// All events are kept as they are.
    Whole,
    /// Nothing is kept.
    Nothing,
    Part(Vec<u8>),
}

/// Cuts a bundle. `uses` are those of its events in the order of [`raw_items`], with the thread before each switch or the
/// waker of each wake-up in columns.
/// `names` are names of threads that the bundle must state, too.
pub(super) fn cut_bundle(bundle: &[u8], uses: &[(ItemUse, i64)], names: &[(i64, Box<[u8]>)]) -> CutBundle {
    let is_whole = names.is_empty() && uses.iter().all(|(used, _)| *used == ItemUse::WHOLE);
    let mut is_changed = false;
    let mut out = MessageBytes::default();
    // Bundles with times of two clocks relate these clocks for all bundles.
    let mut relates_clocks = false;
    for (field, raw) in raw_fields(bundle) {
        // The part has other bundles before, so it must not repeat the end of the previous one, before which the data of
        // the CPU is incomplete.
        is_changed |= matches!(field.number, 9 | 10);
        if !matches!(field.number, 2 | 4 | 9 | 10) {
            relates_clocks |= matches!(field.number, 6 | 7);
            out.raw(raw);
        }
    }
    if is_whole && !is_changed {
        return CutBundle::Whole;
    }
    if !relates_clocks && uses.iter().all(|(used, _)| used.is_nothing()) {
        return CutBundle::Nothing;
    }
    let mut time = 0;
    for (item, (used, before)) in raw_items(bundle).iter().zip(uses) {
        if !used.is_nothing() {
            out.bytes(2, &event(item, *used, *before));
            time = item.time;
        }
    }
    for (tid, name) in names {
        let (mut event, mut rename) = (MessageBytes::default(), MessageBytes::default());
        rename.signed(1, *tid);
        rename.bytes(3, name);
        event.signed(1, time);
        event.bytes(RENAME, &rename.0);
        out.bytes(2, &event.0);
    }
    CutBundle::Part(out.0)
}

/// Writes an event. Events in columns become messages, because their columns contain deltas.
fn event(item: &RawItem<'_>, used: ItemUse, before: i64) -> Vec<u8> {
    let mut out = MessageBytes::default();
    if used.is_clock {
        out.signed(1, item.time);
        let mut waking = MessageBytes::default();
        waking.signed(2, 0);
        out.bytes(WAKING, &waking.0);
        return out.0;
    }
    match item.form {
        RawForm::Message { event, content: Some(content), .. } if content.number == SWITCH => {
            if used == ItemUse::WHOLE {
                return event.to_vec();
            }
            for (field, raw) in raw_fields(event) {
                match field.number {
                    SWITCH => out.bytes(SWITCH, &switch(field.bytes(), used)),
                    _ => out.raw(raw),
                }
            }
        }
        RawForm::Message { event, .. } => return event.to_vec(),
        RawForm::Switch { state, tid, priority, name } => {
            out.signed(1, item.time);
            let mut whole = MessageBytes::default();
            whole.signed(2, before);
            whole.signed(4, state);
            whole.bytes(5, name);
            whole.signed(6, tid);
            whole.signed(7, priority);
            out.bytes(SWITCH, &if used == ItemUse::WHOLE { whole.0 } else { switch(&whole.0, used) });
        }
        RawForm::Waking { tid, flags } => {
            out.signed(1, item.time);
            out.signed(2, before);
            if flags > 0 {
                out.number(5, flags);
            }
            let mut waking = MessageBytes::default();
            waking.signed(2, tid);
            out.bytes(WAKING, &waking.0);
        }
    }
    out.0
}

/// Writes a context switch. The idle thread replaces a thread whose half is not kept.
fn switch(message: &[u8], used: ItemUse) -> Vec<u8> {
    let mut out = MessageBytes::default();
    for (field, raw) in raw_fields(message) {
        let is_kept = match field.number {
            1..=4 => used.has_before,
            5..=7 => used.has_next,
            _ => true,
        };
        match field.number {
            2 | 6 if !is_kept => out.signed(field.number, 0),
            _ if is_kept => out.raw(raw),
            _ => {}
        }
    }
    out.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(write: impl FnOnce(&mut MessageBytes)) -> Vec<u8> {
        let mut out = MessageBytes::default();
        write(&mut out);
        out.0
    }

    /// A bundle with a switch from thread 5 to thread 6 as a message, and one from 6 to 7 in columns.
    fn bundle() -> Vec<u8> {
        let switched = message(|out| {
            [(2, 5), (4, 1), (6, 6), (7, 120)].iter().for_each(|(field, number)| out.number(*field, *number));
        });
        let event = message(|out| {
            out.number(1, 100);
            out.bytes(SWITCH, &switched);
        });
        let columns = message(|out| {
            out.bytes(1, &[110]);
            out.bytes(2, &[0]);
            out.bytes(3, &[7]);
            out.bytes(4, &[99]);
        });
        message(|out| {
            out.number(1, 3);
            out.bytes(2, &event);
            out.bytes(4, &columns);
        })
    }

    #[test]
    fn a_bundle_with_all_events_is_copied() {
        assert_eq!(cut_bundle(&bundle(), &[(ItemUse::WHOLE, 5), (ItemUse::WHOLE, 6)], &[]), CutBundle::Whole);
        assert_eq!(cut_bundle(&bundle(), &[(ItemUse::default(), 5), (ItemUse::default(), 6)], &[]), CutBundle::Nothing);
    }

    #[test]
    fn halves_become_the_idle_thread_and_columns_become_messages() {
        let next = ItemUse { is_kept: true, has_next: true, ..ItemUse::default() };
        let before = ItemUse { is_kept: true, has_before: true, ..ItemUse::default() };
        let CutBundle::Part(part) = cut_bundle(&bundle(), &[(next, 5), (before, 6)], &[]) else { panic!("a part") };
        let items = raw_items(&part);
        let switches: Vec<_> = items
            .iter()
            .map(|item| {
                let RawForm::Message { content: Some(content), .. } = item.form else { panic!("a message") };
                let number = |field| content.message().field(field).map_or(-1, |field| field.signed());
                (item.time, [2, 4, 6, 7].map(number))
            })
            .collect();
        assert_eq!(switches, [(100, [0, -1, 6, 120]), (110, [6, 0, 0, -1])]);
    }

    #[test]
    fn a_time_alone_is_a_wake_up_of_the_idle_thread() {
        let clock = ItemUse { is_clock: true, ..ItemUse::default() };
        let CutBundle::Part(part) = cut_bundle(&bundle(), &[(ItemUse::default(), 5), (clock, 6)], &[]) else {
            panic!("a part")
        };
        let items = raw_items(&part);
        assert!(matches!(items[..], [RawItem { time: 110, form: RawForm::Message { content: Some(_), .. } }]));
        // Again, it is the same.
        assert_eq!(cut_bundle(&part, &[(clock, 0)], &[]), CutBundle::Part(part.clone()));
    }
}
