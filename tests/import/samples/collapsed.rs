//! Collapsed stacks.

use flowline::profile::samples::WeightUnit;

use super::{expected, read, refused, samples, warnings};

#[test]
fn a_line_is_a_sample_that_lasts_for_its_count() {
    let profile = read("main;parse;read line_[k] 3\r\nmain;parse 2.5\n\nmain;parse;read line_[k] 1\n");
    let thread = &profile.threads[0];
    assert_eq!(
        samples(&profile, thread),
        expected(&[
            (0, "main;parse;read line_[k]", 3.0),
            (3_000, "main;parse", 2.5),
            (5_500, "main;parse;read line_[k]", 1.0),
        ])
    );
    assert_eq!((profile.meta.range.start.0, profile.meta.range.end.0, profile.meta.interval.0), (0, 6_500, 1_000));
    assert_eq!(thread.samples.as_ref().expect("samples").cpu.weight_unit, WeightUnit::Plain);
    assert_eq!((profile.stacks.len(), profile.stacks.funcs.len(), profile.threads.len()), (3, 3, 1));
    assert_eq!((profile.meta.kind.id(), warnings(&profile)), ("collapsed", vec![]));
}

#[test]
fn lines_without_a_count_are_damage() {
    let profile = read("a;b 1\nno count;here\na;c 2\n;; 4\na;b;; 1");
    let all = samples(&profile, &profile.threads[0]);
    assert_eq!(all, expected(&[(0, "a;b", 1.0), (1_000, "a;c", 2.0), (3_000, "", 4.0), (7_000, "a;b", 1.0)]));
    assert_eq!(warnings(&profile), [("bad_line", 1)]);
    let cut = read("a;b 1\na;b 2\na;b;c");
    assert_eq!(samples(&cut, &cut.threads[0]).len(), 2);
}

#[test]
fn negative_and_huge_counts_are_valid_weights() {
    let profile = read("a;b -4\na;b 1\na;c 99999999999999999999\na;b 1\n");
    let all = samples(&profile, &profile.threads[0]);
    let weights: Vec<f64> = all.iter().map(|sample| sample.2).collect();
    assert_eq!(weights, [-4.0, 1.0, 1e20, 1.0]);
    assert_eq!((all[1].0, all[2].0), (0, 1_000));
    let digits = "9".repeat(400);
    assert_eq!(warnings(&read(format!("a;b 1\na;b {digits}\n"))), [("bad_line", 1)]);
}

#[test]
fn deep_and_many_stacks_take_linear_time() {
    let deep = (0..60_000).map(|depth| format!("f{}", depth % 100)).collect::<Vec<_>>().join(";");
    let text = format!("{deep} 1\n{deep};leaf 1\n") + &"a;b 1\n".repeat(50_000);
    let profile = read(text);
    assert_eq!(profile.stacks.len(), 60_003);
}

#[test]
fn other_text_is_refused() {
    for text in [
        "Dear all,\nthe meeting is in room 12\nand begins at 9\nYours; me\n",
        "fn main() {\n    let x = 5;\n    println!(\"{x}\");\n}\n",
        "a,b,c\n1,2,3\n4,5,6\n",
        "name;value\nx;1\ny;2\n",
    ] {
        assert!(refused(text).contains("not a recording; Flowline reads"), "{text}: {}", refused(text));
    }
}
