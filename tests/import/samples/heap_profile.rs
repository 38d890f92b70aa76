//! Sampled allocations of V8 (`.heapprofile`).

use flowline::profile::samples::WeightUnit;

use super::{expected, read, samples, warnings};

const TEXT: &str = r#"{"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1},"selfSize":0,
    "id":1,"children":[
        {"callFrame":{"functionName":"alloc","scriptId":"1","url":"a.js","lineNumber":3,"columnNumber":1},"selfSize":4096,
         "id":2,"children":[{"callFrame":{"functionName":"push"},"selfSize":16,"id":3,"children":[]}]},
        {"callFrame":{"functionName":"idle"},"selfSize":0,"id":4,"children":[]}]},
    "samples":[{"size":4096,"nodeId":2,"ordinal":2},{"size":16,"nodeId":3,"ordinal":1}]}"#;

#[test]
fn nodes_are_samples_that_weigh_their_bytes() {
    let profile = read(TEXT);
    let thread = &profile.threads[0];
    assert_eq!(
        samples(&profile, thread),
        expected(&[(0, "alloc", 4096.0), (4_096_000, "alloc;push", 16.0)]),
        "without nodes that have no bytes"
    );
    let table = &thread.samples.as_ref().expect("samples").cpu;
    assert_eq!((table.weight_unit, profile.meta.kind.id()), (WeightUnit::Bytes, "heapprofile"));
    let stacks = &profile.stacks;
    let func = stacks.func(table.stack(0).expect("a stack"));
    assert_eq!((stacks.funcs[func.index()].line, profile.meta.capabilities.lines_from_zero), (3, true));
    assert_eq!(warnings(&profile), []);
}

#[test]
fn a_truncated_profile_keeps_its_first_nodes() {
    let cut = &TEXT[..TEXT.find(r#""idle""#).expect("a node")];
    let profile = read(cut);
    assert_eq!(samples(&profile, &profile.threads[0]).len(), 2);
    assert_eq!(warnings(&profile), [("truncated", 1)]);
}
