//! Critical paths of page loads of Chrome: through the frame, the requests that it waited for, and what asked for them;
//! paints after inputs.

use crate::waits::{path_to, trace};

/// A page with a style sheet that blocks rendering, and an image that is painted last. The load event follows a request
/// of a script, which it does not wait for.
const PAGE: &str = r#"
{"ph":"R","cat":"blink.user_timing","name":"navigationStart","pid":1,"tid":1,"ts":1000,"args":{"frame":"F","data":{"navigationId":"N","documentLoaderURL":"http://a/"}}},
{"ph":"I","s":"t","name":"ResourceSendRequest","pid":1,"tid":1,"ts":1010,"args":{"data":{"requestId":"N","frame":"F","url":"http://a/","resourceType":"Document"}}},
{"ph":"I","s":"t","name":"ResourceReceiveResponse","pid":1,"tid":1,"ts":1100,"args":{"data":{"requestId":"N","frame":"F"}}},
{"ph":"I","s":"t","name":"ResourceReceivedData","pid":1,"tid":1,"ts":1110,"args":{"data":{"requestId":"N","frame":"F"}}},
{"ph":"X","name":"ParseHTML","pid":1,"tid":1,"ts":1120,"dur":20},
{"ph":"I","s":"t","name":"ResourceSendRequest","pid":1,"tid":1,"ts":1130,"args":{"data":{"requestId":"1.2","frame":"F","url":"http://a/s.css","resourceType":"Stylesheet","renderBlocking":"blocking","priority":"VeryHigh","initiator":{"type":"parser","url":"http://a/"}}}},
{"ph":"I","s":"t","name":"ResourceSendRequest","pid":1,"tid":1,"ts":1135,"args":{"data":{"requestId":"1.3","frame":"F","url":"http://a/i.png","resourceType":"Image","renderBlocking":"non_blocking","priority":"Low","initiator":{"type":"parser","url":"http://a/"}}}},
{"ph":"I","s":"t","name":"ResourceFinish","pid":1,"tid":1,"ts":1150,"args":{"data":{"requestId":"N"}}},
{"ph":"X","name":"Style","pid":1,"tid":1,"ts":1160,"dur":100},
{"ph":"I","s":"t","name":"ResourceFinish","pid":1,"tid":1,"ts":1300,"args":{"data":{"requestId":"1.2"}}},
{"ph":"X","name":"First","pid":1,"tid":1,"ts":1320,"dur":30},
{"ph":"X","name":"Commit","pid":1,"tid":1,"ts":1340,"dur":5},
{"ph":"I","s":"t","name":"DrawFrame","pid":1,"tid":2,"ts":1360},
{"ph":"I","s":"t","cat":"loading","name":"firstContentfulPaint","pid":1,"tid":1,"ts":1380,"args":{"frame":"F","data":{"navigationId":"N"}}},
{"ph":"X","name":"Unrelated","pid":1,"tid":1,"ts":1370,"dur":50},
{"ph":"I","s":"t","name":"ResourceFinish","pid":1,"tid":1,"ts":1500,"args":{"data":{"requestId":"1.3"}}},
{"ph":"X","name":"Second","pid":1,"tid":1,"ts":1510,"dur":40},
{"ph":"X","name":"Commit","pid":1,"tid":1,"ts":1530,"dur":5},
{"ph":"I","s":"t","name":"DrawFrame","pid":1,"tid":2,"ts":1560},
{"ph":"I","s":"t","cat":"loading","name":"LargestImagePaint::Candidate","pid":1,"tid":1,"ts":1580,"args":{"frame":"F","data":{"DOMNodeId":4,"imageUrl":"http://a/i.png"}}},
{"ph":"I","s":"t","cat":"loading","name":"largestContentfulPaint::Candidate","pid":1,"tid":1,"ts":1580,"args":{"frame":"F","data":{"navigationId":"N","candidateIndex":1,"nodeId":4}}},
{"ph":"X","name":"Fire","pid":1,"tid":1,"ts":1600,"dur":20},
{"ph":"I","s":"t","name":"ResourceSendRequest","pid":1,"tid":1,"ts":1140,"args":{"data":{"requestId":"1.4","frame":"F","url":"http://a/data","resourceType":"Other","initiator":{"type":"script","fetchType":"fetch","url":"http://a/"}}}},
{"ph":"I","s":"t","name":"ResourceFinish","pid":1,"tid":1,"ts":1590,"args":{"data":{"requestId":"1.4"}}},
{"ph":"I","s":"t","cat":"loading","name":"MarkLoad","pid":1,"tid":1,"ts":1610,"args":{"frame":"F","data":{"frame":"F"}}}"#;

/// The path in short: kind, name, and length in microseconds.
fn short(events: &str, end: &str) -> Vec<(String, String, i64)> {
    let path = path_to(&trace(events), end);
    path.into_iter().map(|(kind, name, from, to)| (kind.to_owned(), name, to - from)).collect()
}

fn expected(of: &[(&str, &str, i64)]) -> Vec<(String, String, i64)> {
    of.iter().map(|(kind, name, length)| ((*kind).to_owned(), (*name).to_owned(), *length)).collect()
}

#[test]
fn a_first_paint_goes_through_its_frame_and_the_request_that_blocked_it() {
    let path = short(PAGE, "firstContentfulPaint");
    let request = "ResourceSendRequest";
    assert_eq!(
        path,
        expected(&[
            ("unknown", "navigationStart", 10),
            ("wait", request, 90),
            ("network", request, 10),
            ("wait", "ParseHTML", 10),
            ("run", "ParseHTML", 10),
            ("wait", request, 170),
            ("wait", "First", 20),
            ("run", "First", 20),
            ("run", "Commit", 5),
            ("wait", "firstContentfulPaint", 35),
        ])
    );
    assert_eq!(path.iter().map(|(.., length)| length).sum::<i64>(), 380, "the whole time since the navigation");
}

#[test]
fn a_largest_paint_goes_through_the_request_of_its_image() {
    let path = short(PAGE, "largestContentfulPaint::Candidate");
    let request = "ResourceSendRequest";
    assert_eq!(
        path[4..],
        expected(&[
            ("run", "ParseHTML", 15),
            ("wait", request, 365),
            ("wait", "Second", 10),
            ("run", "Second", 20),
            ("run", "Commit", 5),
            ("wait", "largestContentfulPaint::Candidate", 45),
        ])
    );
    assert_eq!(path.iter().map(|(.., length)| length).sum::<i64>(), 580);
    // A text has no image: what blocked rendering is left.
    let text = short(&PAGE.replace("\"nodeId\":4", "\"nodeId\":5"), "largestContentfulPaint::Candidate");
    assert!(text.contains(&("wait".to_owned(), "Second".to_owned(), 210)), "{text:?}");
}

#[test]
fn a_load_event_waits_for_the_last_request_of_the_page_but_not_for_fetches() {
    let path = short(PAGE, "MarkLoad");
    let end = expected(&[("wait", "ResourceSendRequest", 365), ("wait", "Fire", 100), ("run", "Fire", 10)]);
    assert_eq!(path[path.len() - 3..], end);
    // A request that ends in the task that fires the event ended in it.
    let inside = PAGE.replace(r#""ts":1500,"#, r#""ts":1604,"#);
    let path = short(&inside, "MarkLoad");
    assert_eq!(path[path.len() - 2..], expected(&[("wait", "ResourceSendRequest", 469), ("run", "Fire", 6)]));
}

#[test]
fn the_end_of_a_request_leads_through_it_to_what_asked_for_it() {
    let request = "ResourceSendRequest";
    let document = expected(&[("unknown", "navigationStart", 10), ("wait", request, 90), ("network", request, 50)]);
    assert_eq!(short(PAGE, "ResourceFinish"), document);
    // The image, whose end is the first one that is left.
    let finish = |ts: u32| format!(r#""name":"ResourceFinish","pid":1,"tid":1,"ts":{ts},"#);
    let page = [1_150, 1_300]
        .iter()
        .fold(PAGE.to_owned(), |page, ts| page.replace(&finish(*ts), &finish(*ts).replace("ResourceFinish", "Other")));
    assert_eq!(
        short(&page, "ResourceFinish"),
        expected(&[
            ("unknown", "navigationStart", 10),
            // Without its end, nothing is known about the phases of the document.
            ("wait", request, 100),
            ("wait", "ParseHTML", 10),
            ("run", "ParseHTML", 15),
            ("wait", request, 365),
        ])
    );
}

#[test]
fn a_paint_after_an_input_leads_back_to_the_input() {
    let timing = |start: i64, first: f64, last: f64| {
        format!(
            r#"{{"ph":"b","cat":"devtools.timeline","name":"EventTiming","id":"0x{start}","pid":1,"tid":1,"ts":{start},"args":{{"data":{{"type":"click","interactionId":9,"duration":8,"timeStamp":50,"processingStart":{first},"processingEnd":{last}}}}}}},
            {{"ph":"e","cat":"devtools.timeline","name":"EventTiming","id":"0x{start}","pid":1,"tid":1,"ts":9000}}"#
        )
    };
    let events = format!(
        r#"{},
        {{"ph":"X","name":"Before","pid":1,"tid":1,"ts":900,"dur":600}},
        {{"ph":"X","name":"Down","pid":1,"tid":1,"ts":2000,"dur":1000}},
        {{"ph":"X","name":"Click","pid":1,"tid":1,"ts":3500,"dur":1500}},
        {{"ph":"X","name":"Between","pid":1,"tid":1,"ts":5100,"dur":400}},
        {{"ph":"X","name":"Frame","pid":1,"tid":1,"ts":6000,"dur":900}},
        {{"ph":"X","name":"Commit","pid":1,"tid":1,"ts":6500,"dur":300}},
        {{"ph":"X","name":"Commit","pid":1,"tid":1,"ts":8500,"dur":300}},
        {}"#,
        timing(1_000, 51.0, 52.0),
        timing(1_001, 52.5, 53.999)
    );
    assert_eq!(
        short(&events, "EventTiming"),
        expected(&[
            ("wait", "Down", 1_000),
            ("run", "Down", 1_000),
            ("wait", "EventTiming", 500),
            ("run", "Click", 1_500),
            ("wait", "Frame", 1_000),
            ("run", "Frame", 500),
            ("run", "Commit", 300),
            ("wait", "EventTiming", 2_200),
        ])
    );
    // Without the times of handlers, nothing is known but the paint.
    let bare = r#"{"ph":"b","cat":"a","name":"EventTiming","id":"1","pid":1,"tid":1,"ts":10},{"ph":"e","cat":"a","name":"EventTiming","id":"1","pid":1,"tid":1,"ts":90}"#;
    assert_eq!(short(bare, "EventTiming").iter().map(|(.., length)| length).sum::<i64>(), 80);
}
