//! The figures of a thread from its samples and slices.

/// A sample of a stack.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// Its time in nanoseconds.
    pub(crate) time: i64,
    /// The CPU time since the previous sample in nanoseconds, if it was measured.
    pub(crate) delta: Option<i64>,
    /// True if the sample has a stack whose category is not idle.
    pub(crate) is_work: bool,
    /// The time to the next sample.
    pub(crate) length: i64,
}

/// A slice of a thread.
#[derive(Clone, Debug)]
pub(crate) struct Slice {
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) name: String,
    pub(crate) category: String,
    /// The time that its thread ran meanwhile, if it was measured.
    pub(crate) cpu: Option<i64>,
}

/// The source of a thread's figures.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlainThread {
    pub(crate) pid: String,
    pub(crate) tid: String,
    /// The recorded name. A trace can omit it.
    pub(crate) name: Option<String>,
    pub(crate) samples: Vec<Sample>,
    /// True if samples have deltas of a unit of time.
    pub(crate) has_clock: bool,
    pub(crate) slices: Vec<Slice>,
    /// True if samples have weights of their own, so that they do not stand for the time to the next one.
    pub(crate) has_weights: bool,
}

/// The figures of a thread. `None`: not recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Figures {
    pub(crate) cpu_ns: Option<i64>,
    pub(crate) busy_ns: Option<i64>,
    /// The measured part of the time that `cpu_ns` is about.
    pub(crate) measured_share: Option<f64>,
}

/// Slices that contain the work of a thread and its pauses.
const LOOPS: [&str; 3] = ["RunLoop::Run", "ThreadController active", "MessagePump::Run"];

/// The categories of GPU work.
const GPU_WORK: [&str; 3] = ["kernel", "gpu_memcpy", "gpu_memset"];

/// A range that contains every recording.
pub(crate) const EVERYTHING: [i64; 2] = [i64::MIN / 4, i64::MAX / 4];

/// The length of the union of intervals.
pub(crate) fn union(intervals: impl IntoIterator<Item = [i64; 2]>) -> i64 {
    let mut sorted: Vec<[i64; 2]> = intervals.into_iter().collect();
    sorted.sort_unstable();
    let (mut length, mut covered_to) = (0, i64::MIN);
    for [start, end] in sorted {
        if end > covered_to {
            length += end - start.max(covered_to);
            covered_to = end;
        }
    }
    length
}

/// The part of an interval within a range.
fn within(start: i64, end: i64, range: [i64; 2]) -> [i64; 2] {
    let start = start.clamp(range[0], range[1]);
    [start, end.clamp(start, range[1])]
}

#[expect(clippy::cast_precision_loss, reason = "shares are compared with a tolerance")]
fn share(part: i64, whole: i64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl PlainThread {
    /// True for a stream of GPU work.
    pub(crate) fn is_stream(&self) -> bool {
        self.slices.iter().any(Slice::is_gpu_work)
    }

    /// The intervals of GPU work within a range.
    pub(crate) fn gpu_work(&self, range: [i64; 2]) -> impl Iterator<Item = [i64; 2]> {
        self.slices.iter().filter(|slice| slice.is_gpu_work()).map(move |slice| within(slice.start, slice.end, range))
    }

    /// The slices that are busy time and in no other such slice. The slices of a message loop replace it.
    fn outermost(&self) -> Vec<&Slice> {
        outermost(self.slices.iter().filter(|slice| !LOOPS.contains(&slice.name.as_str())))
    }

    /// The slices with a thread clock that are in no other such slice. A message loop runs what is in it.
    fn measured(&self) -> Vec<&Slice> {
        outermost(self.slices.iter().filter(|slice| slice.cpu.is_some()))
    }

    /// True if two measured slices overlap, so that their CPU times cannot be added.
    pub(crate) fn overlaps(&self) -> bool {
        self.measured().windows(2).any(|pair| pair[0].end > pair[1].start)
    }

    /// The figures of the whole recording.
    pub(crate) fn figures(&self) -> Figures {
        if self.is_stream() {
            return Figures { cpu_ns: None, busy_ns: Some(union(self.gpu_work(EVERYTHING))), measured_share: None };
        }
        if self.has_clock {
            return self.figures_of_deltas();
        }
        if self.samples.is_empty() {
            return self.figures_of_slices();
        }
        Figures { cpu_ns: None, busy_ns: self.busy_by_samples(), measured_share: None }
    }

    /// CPU time by samples. The delta of the first sample is about the time before it.
    fn figures_of_deltas(&self) -> Figures {
        let (mut cpu, mut measured, mut elapsed) = (0, 0, 0);
        for pair in self.samples.windows(2) {
            let length = pair[1].time - pair[0].time;
            elapsed += length;
            if let Some(delta) = pair[1].delta {
                cpu += delta;
                measured += length;
            }
        }
        let busy_ns = self.busy_by_samples();
        Figures { cpu_ns: Some(cpu), busy_ns, measured_share: share(measured, elapsed) }
    }

    fn busy_by_samples(&self) -> Option<i64> {
        let of = |sample: &Sample| [sample.time, sample.time + sample.length];
        (!self.has_weights).then(|| union(self.samples.iter().filter(|sample| sample.is_work).map(of)))
    }

    /// CPU time by thread clocks of slices, if they are known for nine tenths of the covered time.
    fn figures_of_slices(&self) -> Figures {
        let covered: Vec<[i64; 2]> = self.outermost().iter().map(|slice| [slice.start, slice.end]).collect();
        let clocks: Vec<[i64; 2]> = self.measured().iter().map(|slice| [slice.start, slice.end]).collect();
        let busy = union(covered.iter().copied());
        // The part of the covered time in which a clock is known.
        let measured = busy + union(clocks.iter().copied()) - union(covered.into_iter().chain(clocks));
        let cpu: i64 = self.measured().iter().filter_map(|slice| slice.cpu).sum();
        let is_known = measured > 0 && i128::from(measured) * 10 >= i128::from(busy) * 9;
        Figures { cpu_ns: is_known.then_some(cpu), busy_ns: Some(busy), measured_share: share(measured, busy) }
    }
}

/// Slices that are in no other one, in the order of their starts. Of equal slices, the first one counts.
fn outermost<'a>(slices: impl Iterator<Item = &'a Slice>) -> Vec<&'a Slice> {
    let mut slices: Vec<&Slice> = slices.collect();
    slices.sort_by_key(|slice| (slice.start, std::cmp::Reverse(slice.end)));
    let mut reached = None;
    slices.retain(|slice| {
        let is_outermost = reached.is_none_or(|reached| slice.end > reached);
        reached = reached.max(Some(slice.end));
        is_outermost
    });
    slices
}

impl Slice {
    fn is_gpu_work(&self) -> bool {
        GPU_WORK.contains(&self.category.as_str())
    }
}
