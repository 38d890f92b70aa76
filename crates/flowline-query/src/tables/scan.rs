//! Reads a table in parallel parts: selects units by the cheap columns, then reads the requested columns of these.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{Array as _, ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions};
use datafusion::arrow::compute::{and, prep_null_mask_filter};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::memory::DataSourceExec;
use datafusion::common::cast::as_boolean_array;
use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics};
use datafusion::datasource::source::DataSource;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_expr::utils::{collect_columns, reassign_expr_columns};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::DisplayFormatType;
use datafusion::physical_plan::coop::cooperative;
use datafusion::physical_plan::filter_pushdown::{FilterPushdownPropagation, PushedDown};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use futures::stream;

use super::bounds::Bounds;
use super::rows::Rows;

/// A scan of a table.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    rows: Arc<dyn Rows>,
    /// Columns of the result, as positions in the table's schema.
    projection: Vec<usize>,
    schema: SchemaRef,
    /// Conditions on cheap columns, which decide exactly.
    filters: Vec<Arc<dyn PhysicalExpr>>,
    partitions: usize,
    limit: Option<usize>,
}

impl Scan {
    /// A scan in this number of parts.
    pub(crate) fn new(
        rows: Arc<dyn Rows>,
        projection: Vec<usize>,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        partitions: usize,
        limit: Option<usize>,
    ) -> Result<Self> {
        let schema = Arc::new(rows.spec().schema().project(&projection)?);
        // Parts of less than this are not worth a thread.
        let partitions = partitions.min(rows.units() / rows.units_at_once() + 1);
        // A limited result is the same each time if one part reads it.
        let partitions = if limit.is_some() { 1 } else { partitions };
        Ok(Self { rows, projection, schema, filters, partitions, limit })
    }

    /// The scan as a plan.
    pub(crate) fn into_plan(self) -> Arc<DataSourceExec> {
        DataSourceExec::from_data_source(self)
    }

    /// True if a condition only refers to cheap columns.
    fn decides(&self, filter: &Arc<dyn PhysicalExpr>) -> bool {
        let table = self.rows.spec().schema();
        let mut columns = collect_columns(filter).into_iter();
        columns.all(|column| table.index_of(column.name()).is_ok_and(|position| self.rows.is_cheap(position)))
    }
}

/// The state of one part of a scan.
struct Part {
    scan: Scan,
    number: usize,
    /// Ranges of units that are left; found when the first batch is requested, because conditions that depend on other
    /// tables are known only then.
    left: Option<Vec<Range<usize>>>,
    /// Conditions in terms of the schema of their columns.
    filters: Vec<Arc<dyn PhysicalExpr>>,
    filter_columns: Vec<usize>,
    filter_schema: SchemaRef,
    /// Number of rows that may follow.
    rows_left: usize,
}

impl Part {
    fn new(scan: &Scan, number: usize) -> Result<Self> {
        let table = scan.rows.spec().schema();
        let mut filter_columns = Vec::new();
        for column in scan.filters.iter().flat_map(collect_columns) {
            filter_columns.push(table.index_of(column.name())?);
        }
        filter_columns.sort_unstable();
        filter_columns.dedup();
        let filter_schema: SchemaRef = Arc::new(table.project(&filter_columns)?);
        let in_terms = |filter: &Arc<dyn PhysicalExpr>| reassign_expr_columns(Arc::clone(filter), &filter_schema);
        let filters = scan.filters.iter().map(in_terms).collect::<Result<Vec<_>>>()?;
        Ok(Self {
            scan: scan.clone(),
            number,
            left: None,
            filters,
            filter_columns,
            filter_schema,
            rows_left: scan.limit.unwrap_or(usize::MAX),
        })
    }

    /// The ranges of this part: its share of all units within the bounds.
    fn share(&self) -> Result<Vec<Range<usize>>> {
        let snapshots = self.filters.iter().map(|filter| match filter.snapshot()? {
            Some(snapshot) => Ok(snapshot),
            None => Ok(Arc::clone(filter)),
        });
        let bounds = Bounds::of(&snapshots.collect::<Result<Vec<_>>>()?);
        let ranges = self.scan.rows.ranges(&bounds);
        let total: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let edge = |part: usize| (total as u128 * part as u128 / self.scan.partitions as u128) as usize;
        let (from, to) = (edge(self.number), edge(self.number + 1));
        let mut before = 0;
        let mut own = Vec::new();
        for range in ranges {
            let length = range.len();
            let start = range.start + from.saturating_sub(before).min(length);
            let end = range.start + to.saturating_sub(before).min(length);
            if start < end {
                own.push(start..end);
            }
            before += length;
        }
        // The last one is taken first.
        own.reverse();
        Ok(own)
    }

    /// The next units to look at.
    fn next_units(&mut self) -> Result<Vec<u32>> {
        if self.left.is_none() {
            self.left = Some(self.share()?);
        }
        let left = self.left.as_mut().expect("just set");
        let wanted = self.scan.rows.units_at_once().min(self.rows_left.max(256));
        let mut units = Vec::with_capacity(wanted);
        while units.len() < wanted {
            let Some(range) = left.last_mut() else { break };
            let end = range.end.min(range.start + wanted - units.len());
            units.extend((range.start..end).map(number));
            range.start = end;
            if range.start == range.end {
                left.pop();
            }
        }
        Ok(units)
    }

    /// The units that fulfill all conditions.
    fn selected(&self, units: Vec<u32>) -> Result<Vec<u32>> {
        if self.filters.is_empty() {
            return Ok(units);
        }
        let columns = self.scan.rows.read_cheap(&units, &self.filter_columns)?;
        let batch = batch(&self.filter_schema, columns, units.len())?;
        let mut mask: Option<BooleanArray> = None;
        for filter in &self.filters {
            let found = filter.evaluate(&batch)?.into_array(units.len())?;
            let found = as_boolean_array(&found)?;
            let found = if found.null_count() > 0 { prep_null_mask_filter(found) } else { found.clone() };
            mask = Some(match mask {
                Some(mask) => and(&mask, &found)?,
                None => found,
            });
            if mask.as_ref().is_some_and(|mask| mask.true_count() == 0) {
                return Ok(Vec::new());
            }
        }
        let Some(mask) = mask else { return Ok(units) };
        Ok(mask.values().set_indices().map(|at| units[at]).collect())
    }

    fn next(&mut self) -> Result<Option<RecordBatch>> {
        while self.rows_left > 0 {
            let units = self.next_units()?;
            if units.is_empty() {
                return Ok(None);
            }
            let units = self.selected(units)?;
            if units.is_empty() {
                continue;
            }
            let (columns, count) = self.scan.rows.read(&units, &self.scan.projection)?;
            let batch = batch(&self.scan.schema, columns, count)?;
            if batch.num_rows() == 0 {
                continue;
            }
            let batch = batch.slice(0, batch.num_rows().min(self.rows_left));
            self.rows_left -= batch.num_rows();
            return Ok(Some(batch));
        }
        Ok(None)
    }
}

fn batch(schema: &SchemaRef, columns: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}

fn number(unit: usize) -> u32 {
    u32::try_from(unit).unwrap_or(u32::MAX)
}

impl DataSource for Scan {
    fn open(&self, partition: usize, _context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let part = Part::new(self, partition)?;
        let batches = stream::try_unfold(part, |mut part| async move { Ok(part.next()?.map(|batch| (batch, part))) });
        Ok(Box::pin(cooperative(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), Box::pin(batches)))))
    }

    fn fmt_as(&self, _kind: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table={}, units={}, parts={}", self.rows.spec().name, self.rows.units(), self.partitions)?;
        if !self.filters.is_empty() {
            let filters: Vec<String> = self.filters.iter().map(ToString::to_string).collect();
            write!(f, ", filters=[{}]", filters.join(", "))?;
        }
        self.limit.map_or(Ok(()), |limit| write!(f, ", limit={limit}"))
    }

    fn output_partitioning(&self) -> Partitioning {
        Partitioning::UnknownPartitioning(self.partitions)
    }

    fn eq_properties(&self) -> EquivalenceProperties {
        EquivalenceProperties::new(Arc::clone(&self.schema))
    }

    fn partition_statistics(&self, partition: Option<usize>) -> Result<Arc<Statistics>> {
        let mut statistics = Statistics::new_unknown(&self.schema);
        let is_whole = partition.is_none() && self.filters.is_empty() && self.limit.is_none();
        let units = self.rows.units();
        statistics.num_rows = match (is_whole, self.rows.has_row_per_unit()) {
            (true, true) => Precision::Exact(units),
            (true, false) => Precision::Inexact(units.saturating_mul(4)),
            (false, _) => Precision::Inexact((units / self.partitions).max(1)),
        };
        Ok(Arc::new(statistics))
    }

    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn DataSource>> {
        Some(Arc::new(Self { limit, ..self.clone() }))
    }

    fn fetch(&self) -> Option<usize> {
        self.limit
    }

    fn try_swapping_with_projection(&self, _projection: &ProjectionExprs) -> Result<Option<Arc<dyn DataSource>>> {
        Ok(None)
    }

    fn try_pushdown_filters(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _config: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn DataSource>>> {
        // A limit applies to the rows before these conditions.
        let decided: Vec<bool> = filters.iter().map(|filter| self.limit.is_none() && self.decides(filter)).collect();
        let answers = decided.iter().map(|decided| if *decided { PushedDown::Yes } else { PushedDown::No }).collect();
        let propagation = FilterPushdownPropagation::with_parent_pushdown_result(answers);
        if !decided.contains(&true) {
            return Ok(propagation);
        }
        let mut scan = self.clone();
        scan.filters.extend(filters.into_iter().zip(decided).filter(|(_, decided)| *decided).map(|(filter, _)| filter));
        Ok(propagation.with_updated_node(Arc::new(scan)))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        for filter in &self.filters {
            if f(filter)? == TreeNodeRecursion::Stop {
                return Ok(TreeNodeRecursion::Stop);
            }
        }
        Ok(TreeNodeRecursion::Continue)
    }
}
