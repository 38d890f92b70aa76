//! Counters: values over time, drawn as stepped areas.

use bytemuck::{Pod, Zeroable};

use crate::Column;
use crate::ProcessId;
use crate::persist::persist;
use flowline_format::{self as quantity, Ns};

/// A counter track: one or more series, stacked in one row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counter {
    /// Name.
    pub name: String,
    /// Display name; if empty, `name` is displayed.
    pub label: String,
    /// Category.
    pub category: String,
    /// Process id as written in the file.
    pub pid: String,
    /// Process, if known.
    pub process: Option<ProcessId>,
    /// Unit of the values as written in the file (`bytes`, `percent`, ...); empty if unknown.
    pub unit: String,
    /// Palette word from the recording; empty if it has none.
    pub color: String,
    /// Meaning of the samples.
    pub graph: CounterGraph,
    /// Series, from the bottom of the stack to the top.
    pub series: Vec<Series>,
}
persist!(Counter { name, label, category, pid, process, unit, color, graph, series });

/// Meaning of a counter's samples, which determines how they are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CounterGraph {
    /// The values themselves.
    #[default]
    Level,
    /// Running sums of differences from an unknown level. Drawn relative to the minimum, as in the Firefox Profiler.
    Relative,
    /// Running sums of amounts. Drawn as the amount per second between two samples; for percentages, relative to the
    /// maximum.
    Rate,
}
persist!(enum CounterGraph { 0 => Level, 1 => Relative, 2 => Rate });

/// One sample of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Sample {
    /// Time of the sample.
    pub time: Ns,
    /// Value.
    pub value: f64,
}

/// One value of a counter over time. Each value applies until the next sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Name.
    pub name: String,
    /// Samples in ascending time order; running sums for counters of differences.
    pub samples: Column<Sample>,
}
persist!(Series { name, samples });

impl Counter {
    /// Heap size of the samples in bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.series.iter().map(|series| series.samples.heap_bytes()).sum()
    }

    /// Samples of the first series, which is created if necessary.
    #[inline]
    pub fn single(&mut self) -> &mut Vec<Sample> {
        if self.series.is_empty() {
            self.series.push(Series::default());
        }
        self.series[0].samples.make_mut()
    }

    /// The display name.
    #[must_use]
    #[inline]
    pub fn title(&self) -> &str {
        if self.label.is_empty() { &self.name } else { &self.label }
    }

    /// Name of a series. If a counter has no named values, its only series is named after its category.
    #[must_use]
    #[inline]
    pub fn series_name<'a>(&'a self, series: &'a Series) -> &'a str {
        if series.name.is_empty() { &self.category } else { &series.name }
    }

    /// Text of a displayed value: a level, a level relative to the minimum, or a rate per second. Values in `percent`
    /// are ratios.
    #[must_use]
    #[inline]
    pub fn value_text(&self, value: f64) -> String {
        self.text(value, self.graph == CounterGraph::Rate)
    }

    /// Text of a rate integrated over time: an amount in the counter's unit, or seconds if the values are ratios.
    #[must_use]
    pub fn amount_text(&self, amount: f64) -> String {
        if self.unit != "percent" {
            return self.text(amount, false);
        }
        let mut out = String::new();
        quantity::write_duration_ms(&mut out, amount * 1e3);
        out
    }

    /// The display unit: the unit as written, with `/s` for rates.
    #[must_use]
    #[inline]
    pub fn shown_unit(&self) -> String {
        let is_rate = self.graph == CounterGraph::Rate && !matches!(self.unit.as_str(), "" | "percent");
        format!("{}{}", self.unit, if is_rate { "/s" } else { "" })
    }

    fn text(&self, value: f64, is_rate: bool) -> String {
        let mut out = String::new();
        match self.unit.as_str() {
            "percent" => {
                quantity::write_percent(&mut out, value);
                return out;
            }
            // Picowatt-hours are energy; energy over time is power.
            "pWh" => {
                let (value, unit) = if is_rate { (value * 3600e-12, "W") } else { (value * 1e-12, "Wh") };
                write_scaled(&mut out, value, unit);
                return out;
            }
            "bytes" | "byte" | "B" => quantity::write_bytes(&mut out, value),
            "KB" => quantity::write_bytes(&mut out, value * 1e3),
            "MB" => quantity::write_bytes(&mut out, value * 1e6),
            "GB" => quantity::write_bytes(&mut out, value * 1e9),
            "ns" => quantity::write_duration_ms(&mut out, value / 1e6),
            "us" | "μs" | "µs" => quantity::write_duration_ms(&mut out, value / 1e3),
            "ms" => quantity::write_duration_ms(&mut out, value),
            "s" => quantity::write_duration_ms(&mut out, value * 1e3),
            "%" => quantity::write_percent(&mut out, value / 100.0),
            unit => {
                quantity::write_number(&mut out, value);
                if !unit.is_empty() {
                    out.push(' ');
                    out.push_str(unit);
                }
            }
        }
        if is_rate {
            out.push_str("/s");
        }
        out
    }
}

/// Writes a value with a metric prefix from micro to giga.
fn write_scaled(out: &mut String, value: f64, unit: &str) {
    let (factor, prefix) = match value.abs() {
        0.0 => (1.0, ""),
        size if size < 1e-3 => (1e6, "µ"),
        size if size < 1.0 => (1e3, "m"),
        size if size < 1e3 => (1.0, ""),
        size if size < 1e6 => (1e-3, "k"),
        size if size < 1e9 => (1e-6, "M"),
        _ => (1e-9, "G"),
    };
    quantity::write_fixed(out, value * factor, if value == 0.0 { 0 } else { 2 });
    out.push(' ');
    out.push_str(prefix);
    out.push_str(unit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_unit() {
        use CounterGraph::{Level, Rate, Relative};
        let rows: &[(&str, CounterGraph, f64, &str)] = &[
            ("bytes", Relative, 1_500_000.0, "1.50 MB"),
            ("bytes", Level, -123_456.0, "−123.5 KB"),
            ("bytes", Rate, 2e9, "2.00 GB/s"),
            ("percent", Rate, 0.285, "28.5%"),
            ("%", Level, 28.5, "28.5%"),
            ("KB", Level, 12_345.0, "12.35 MB"),
            ("pWh", Rate, 1e9, "3.60 W"),
            ("pWh", Rate, 2e6, "7.20 mW"),
            ("pWh", Rate, 0.0, "0 W"),
            ("pWh", Relative, 5e9, "5.00 mWh"),
            ("ms", Level, 2.5, "2.50 ms"),
            ("", Level, 12_345.0, "12,345"),
            ("", Level, -0.0, "0"),
            ("", Level, 0.123_456, "0.123"),
            ("", Level, 1e300, "1.00e300"),
            ("jobs", Level, 7.0, "7 jobs"),
            ("jobs", Rate, 0.5, "0.5 jobs/s"),
        ];
        for (unit, graph, value, expected) in rows {
            let counter = Counter { unit: (*unit).into(), graph: *graph, ..Counter::default() };
            assert_eq!(counter.value_text(*value), *expected, "{value} {unit} {graph:?}");
        }
    }

    #[test]
    fn amounts_are_not_rates() {
        for (unit, amount, expected) in [
            ("bytes", 1_500_000.0, "1.50 MB"),
            ("percent", 0.25, "250.00 ms"),
            ("pWh", 5e9, "5.00 mWh"),
            ("", 3.0, "3"),
        ] {
            let counter = Counter { unit: unit.into(), graph: CounterGraph::Rate, ..Counter::default() };
            assert_eq!(counter.amount_text(amount), expected, "{amount} {unit}");
        }
    }
}
