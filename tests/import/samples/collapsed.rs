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
    assert_eq!(warnings(&profile), [("negative_weight", 1)]);
    let digits = "9".repeat(400);
    assert_eq!(warnings(&read(format!("a;b 1\na;b {digits}\n"))), [("bad_line", 1)]);
}

#[test]
fn comments_are_not_stacks() {
    let profile = read(
        "# austin: 3.4.0\n# interval: 100\nP12;m.py:f:3 100\n#<Class:0x1>;call 2\nP12;m.py:g:4 50\n# duration: 500\n",
    );
    let all = samples(&profile, &profile.threads[0]);
    let found: Vec<(&str, f64)> = all.iter().map(|sample| (sample.1.as_str(), sample.2)).collect();
    assert_eq!(found, [("P12;m.py:f:3", 100.0), ("#<Class:0x1>;call", 2.0), ("P12;m.py:g:4", 50.0)]);
    assert_eq!(warnings(&profile), []);
}

#[test]
fn the_second_of_two_counts_is_the_weight() {
    let profile = read("main;a 10 20\nmain;b 5 0\nmain;c 0 7\n");
    assert_eq!(
        samples(&profile, &profile.threads[0]),
        expected(&[(0, "main;a", 20.0), (20_000, "main;b", 0.0), (20_000, "main;c", 7.0)])
    );
    let names = read("main;worker 1 20\nmain;b 7\n");
    assert_eq!(samples(&names, &names.threads[0])[0].1, "main;worker 1", "a name may end in a number");
}

#[test]
fn files_without_callers_and_counts_with_exponents_are_read() {
    let profile = read("main 1e3\nidle 2.5E-1\n");
    assert_eq!(samples(&profile, &profile.threads[0]), expected(&[(0, "main", 1000.0), (1_000_000, "idle", 0.25)]));
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

#[test]
fn stacks_of_one_function_may_have_spaces() {
    let text = "os::SchedulerStart()+0x131 45759\nos::Submit(os::Block&, unsigned int, unsigned long)+0xbf 89\nkmalloc+0x3f6 25\n";
    let profile = read(text);
    let found = samples(&profile, &profile.threads[0]);
    let names: Vec<&str> = found.iter().map(|(_, path, _)| path.as_str()).collect();
    assert_eq!(
        names,
        ["os::SchedulerStart()+0x131", "os::Submit(os::Block&, unsigned int, unsigned long)+0xbf", "kmalloc+0x3f6"]
    );
    assert!((found.iter().map(|(.., weight)| weight).sum::<f64>() - 45_873.0).abs() < 1e-9);
}
