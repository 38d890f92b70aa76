//! Fields of marker payloads, with plausible values.

use super::catalog::Payload;
use super::rows::Rows;
use crate::json::Nanos;
use crate::random::pick;
use std::io::Write;

impl<W: Write> Rows<'_, W> {
    /// Writes the fields of a payload, each preceded by a comma.
    pub(super) fn fields(&mut self, payload: Payload, random_bits: u64) {
        const EVENTS: [&str; 6] = ["mousemove", "message", "load", "click", "pointermove", "readystatechange"];
        const PREFERENCES: [&str; 5] = [
            "accessibility.tabfocus",
            "dom.ipc.processPriorityManager.enabled",
            "layout.frame_rate",
            "gfx.webrender.max-partial-present-rects",
            "network.http.max-persistent-connections-per-server",
        ];
        let small = (random_bits >> 24) % 1_000;
        match payload {
            Payload::Bare | Payload::Stack | Payload::Tick => {}
            Payload::TextStack(texts) | Payload::Text(texts) => {
                self.output.raw(r#","name":"#).text(pick(texts, random_bits >> 24));
            }
            Payload::Tracing(category) => {
                self.output.raw(r#","category":"#).text(category);
            }
            Payload::DomEvent => {
                self.output.raw(r#","innerWindowID":12884901889,"eventType":"#).text(pick(&EVENTS, small));
                self.output.raw(r#","latency":"#).ms(Nanos(small * 17_923));
            }
            Payload::UserTiming => {
                self.output.raw(r#","innerWindowID":12884901889,"name":"job"#).int(small % 40);
                self.output.raw(r#"","entryType":"measure","startMark":null,"endMark":null"#);
            }
            Payload::Preference => {
                self.output.raw(r#","prefName":"#).text(pick(&PREFERENCES, small));
                self.output.raw(r#","prefKind":"User","prefType":"Int","prefValue":""#).int(small).raw("\"");
            }
            measured => self.measures(measured, random_bits, small),
        }
    }

    /// Writes the fields of payloads that contain numbers.
    fn measures(&mut self, payload: Payload, random_bits: u64, small: u64) {
        const TIMERS: [&str; 4] =
            ["CCGCScheduler::EnsureGCRunner", "nsHttpConnectionMgr", "CaptivePortalService", "setTimeout() for poll"];
        match payload {
            Payload::Styles => {
                self.output.raw(r#","elementsTraversed":"#).int(small * 3).raw(r#","elementsStyled":"#).int(small * 2);
                self.output.raw(r#","elementsMatched":"#).int(small).raw(r#","stylesShared":"#).int(small / 2);
                self.output.raw(r#","stylesReused":"#).int(small / 9);
            }
            Payload::Nursery => {
                self.output
                    .raw(r#","nursery":{"status":"complete","reason":"OUT_OF_NURSERY","bytes_tenured":"#)
                    .int(small * 182);
                self.output
                    .raw(r#","cells_tenured":"#)
                    .int(small * 3)
                    .raw(r#","bytes_used":262136,"cur_capacity":262144}"#);
            }
            Payload::Slice => {
                self.output.raw(r#","timings":{"slice":"#).int(small % 20).raw(r#","reason":"CC_FINISHED","pause":"#);
                self.output.ms(Nanos(small * 9_001)).raw("}");
            }
            Payload::Timer => {
                let kind = self.strings.name("One shot");
                self.output.raw(r#","delay":"#).int(small).raw(r#","ttype":"#).int(kind);
                if random_bits & 1 == 0 {
                    self.output.raw(r#","canceled":true"#);
                }
            }
            Payload::AddTimer => {
                self.output.raw(r#","name":"#).text(pick(&TIMERS, small)).raw(r#","delay":"#).int(small);
                self.output.raw(r#","threadId":"#).int(self.process.pid);
            }
            Payload::Histogram => {
                let id = self
                    .strings
                    .name(["CYCLE_COLLECTOR", "HTTP_PAGE_OPEN", "GC_MS"][usize::from(random_bits & 2 == 0)]);
                self.output.raw(r#","id":"#).int(id).raw(r#","val":"#).int(small);
            }
            Payload::NetIo => {
                self.output.raw(if random_bits & 1 == 0 { r#","read":"# } else { r#","written":"# }).int(small * 14);
            }
            Payload::Actor => {
                self.output.raw(r#","actor":"Conduits","name":"RunListener""#);
            }
            _ => {}
        }
    }
}
