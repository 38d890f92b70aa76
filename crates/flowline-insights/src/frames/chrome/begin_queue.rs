//! The frames that began and have not been drawn.

use std::collections::{BTreeMap, VecDeque};

use flowline_profile::{MarkerId, Ns, ThreadId};

/// Of more frames than this, the oldest are forgotten.
const LIMIT: usize = 100_000;

/// A frame that began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    pub(super) sequence: i64,
    pub(super) time: Ns,
    pub(super) is_dropped: bool,
    pub(super) is_partial: bool,
    pub(super) thread: ThreadId,
    pub(super) marker: MarkerId,
    /// The event that dropped it, if it is another one.
    pub(super) dropped_by: Option<MarkerId>,
}

/// The queue, by sequence number as they came.
#[derive(Debug, Default)]
pub(super) struct BeginQueue {
    order: VecDeque<i64>,
    frames: BTreeMap<i64, Begun>,
    /// Number of frames that were forgotten because of the limit.
    pub(super) excess: u32,
}

impl BeginQueue {
    /// Adds a frame, once for each number.
    pub(super) fn add(&mut self, frame: Begun) {
        if self.frames.contains_key(&frame.sequence) {
            return;
        }
        if self.order.len() >= LIMIT
            && let Some(oldest) = self.order.pop_front()
        {
            self.frames.remove(&oldest);
            self.excess += 1;
        }
        self.order.push_back(frame.sequence);
        self.frames.insert(frame.sequence, frame);
    }

    /// Adds a frame that was dropped, or marks it.
    pub(super) fn drop_frame(&mut self, frame: Begun) {
        self.add(Begun { dropped_by: None, ..frame });
        if let Some(known) = self.frames.get_mut(&frame.sequence) {
            (known.is_dropped, known.is_partial) = (true, frame.is_partial);
            known.dropped_by = Some(frame.marker).filter(|marker| *marker != known.marker);
        }
    }

    /// Takes a drawn frame, and the dropped ones before it. The others before it continue an earlier frame.
    pub(super) fn draw(&mut self, sequence: i64) -> Vec<Begun> {
        let mut taken = Vec::new();
        if !self.frames.contains_key(&sequence) {
            return taken;
        }
        while let Some(number) = self.order.pop_front() {
            let frame = self.frames.remove(&number);
            taken.extend(frame.filter(|frame| number == sequence || frame.is_dropped));
            if number == sequence {
                break;
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(sequence: i64) -> Begun {
        Begun {
            sequence,
            time: Ns(sequence),
            is_dropped: false,
            is_partial: false,
            thread: ThreadId::new(0),
            marker: MarkerId(u32::try_from(sequence).unwrap()),
            dropped_by: None,
        }
    }

    #[test]
    fn a_drawn_frame_takes_the_dropped_ones_before_it() {
        let mut queue = BeginQueue::default();
        for sequence in [1, 2, 3, 4, 2] {
            queue.add(begun(sequence));
        }
        queue.drop_frame(Begun { is_partial: true, marker: MarkerId(9), ..begun(2) });
        let taken: Vec<(i64, bool)> = queue.draw(3).iter().map(|frame| (frame.sequence, frame.is_dropped)).collect();
        assert_eq!(taken, [(2, true), (3, false)]);
        assert!(queue.draw(1).is_empty());
        assert_eq!(queue.draw(4).len(), 1);
    }

    #[test]
    fn the_queue_is_bounded() {
        let mut queue = BeginQueue::default();
        for sequence in 0..i64::try_from(LIMIT).unwrap() + 5 {
            queue.add(begun(sequence));
        }
        assert_eq!((queue.order.len(), queue.frames.len(), queue.excess), (LIMIT, LIMIT, 5));
        assert!(queue.draw(4).is_empty());
        assert_eq!(queue.draw(5).len(), 1);
    }
}
