//! Expected and actual frames of Android.

use super::*;

/// The beginning of a frame of an app: cookie, token, process and layer.
fn surface(cookie: u64, token: u64) -> Message {
    message().number(1, cookie).number(2, token).number(3, 90).number(4, 7).text(5, "TX - app#1")
}

fn packet(ts: u64, field: u64, frame: &Message) -> Message {
    at(ts).message(76, &message().message(field, frame))
}

fn end(ts: u64, cookie: u64) -> Message {
    packet(ts, 5, &message().number(1, cookie))
}

#[test]
fn frames_are_slices_of_tracks_of_their_layer() {
    let janky = surface(2, 41).number(6, 2).number(7, 0).number(8, 1).number(9, 64 | 4).number(10, 1).number(11, 1);
    let on_time = surface(4, 42).number(6, 1).number(7, 1).number(9, 1).number(10, 1);
    let display = message().number(1, 5).number(2, 90).number(3, 8).number(4, 1).number(5, 1).number(7, 1).number(8, 2);
    let packets = [
        packet(100, 3, &surface(1, 41)),
        packet(110, 4, &janky),
        packet(150, 3, &surface(3, 42)),
        packet(160, 4, &on_time),
        end(200, 1),
        // Frames overlap.
        end(230, 2),
        end(250, 3),
        end(260, 4),
        packet(300, 2, &display),
        end(310, 5),
        end(320, 99),
        packet(330, 1, &message().number(1, 6).number(2, 91).number(3, 8)),
    ];
    let expected = [
        "Process 7/Actual frames: TX - app#1 Prediction Error, App Deadline Missed 110..230 0",
        "Process 7/Actual frames: TX - app#1 Frame 160..260 0",
        "Process 7/Expected frames: TX - app#1 Frame 100..200 0",
        "Process 7/Expected frames: TX - app#1 Frame 150..250 0",
        "Process 8/Actual frames Frame 300..310 0",
        "Process 8/Expected frames Frame 330..330! 0",
    ];
    assert_eq!(slices(&packets), expected);
    let read = read(&packets);
    let janky = slice_named(&read, "Prediction Error, App Deadline Missed");
    let expected = serde_json::json!({
        "token": 41, "display_frame_token": 90, "layer_name": "TX - app#1",
        "jank_type": "Prediction Error, App Deadline Missed", "present_type": "Late Present",
        "prediction_type": "Valid Prediction", "finish": "Late", "gpu_composition": true, "is_buffer": true
    });
    assert_eq!(janky.args, expected);
    let of_display = read.tracks.iter().flat_map(|track| &track.slices).find(|slice| slice.start_ns == 300);
    let expected = serde_json::json!({
        "token": 90, "jank_type": "None", "present_type": "On-time Present", "prediction_type": "Expired Prediction",
        "finish": "On time"
    });
    assert_eq!(of_display.expect("the frame of the display").args, expected);
    assert_eq!(warned(&read, "not_drawn"), 1);
    // Janky frames stand out.
    let json = flowline::import::as_text(
        &flowline::import::read(trace(&packets), &flowline::import::Progress::default()).expect("a trace").profile,
        &flowline::import::Progress::default(),
    );
    let json = json.expect("text").expect("the trace is binary");
    let text = String::from_utf8_lossy(json.source.bytes()).into_owned();
    assert_eq!((text.matches("\"cname\":\"bad\"").count(), text.matches("\"cname\":\"good\"").count()), (1, 2));
}
