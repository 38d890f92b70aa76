//! Dispatches the packets of other data sources than events of programs and of the kernel.

use super::other_kinds as kind;
use super::output::Output;
use super::skipped_packets::skipped;
use super::writer::Writer;

impl<O: Output> Writer<'_, O> {
    /// Reads a packet with the given field number, or counts it.
    pub(super) fn other_packet(&mut self, time: Option<i64>, number: u64, data: &[u8]) {
        if number == kind::ANDROID_LOG {
            return self.android_log(data);
        }
        if !kind::ALL.contains(&number) {
            if let Some(what) = skipped(number) {
                self.omit(what);
            }
            return;
        }
        let Some(ts) = time else { return self.omit("packets without a time") };
        match number {
            kind::GPU_LOG => self.gpu_log(ts, data),
            kind::FRAME_TIMELINE => self.frame_timeline(ts, data),
            kind::JOURNAL => self.journal(ts, data),
            _ => self.omit("unsupported packets"),
        }
    }
}
