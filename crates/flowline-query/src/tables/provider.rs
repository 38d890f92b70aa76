//! Tables as DataFusion sees them.

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::union::UnionExec;

use super::catalog::open_table;
use super::rows::Rows;
use super::scan::Scan;
use crate::recording::Recording;
use crate::schema::TableSpec;
use flowline_profile::get_or_build;

/// One table of one or more recordings. Its rows are prepared when it is first used.
#[derive(Debug)]
pub(crate) struct RowsProvider {
    spec: &'static TableSpec,
    schema: SchemaRef,
    recordings: Vec<Arc<Recording>>,
    parts: OnceLock<Vec<Arc<dyn Rows>>>,
}

impl RowsProvider {
    /// A table that consists of the same table of several recordings.
    pub(crate) fn new(spec: &'static TableSpec, recordings: &[Arc<Recording>]) -> Self {
        Self { spec, schema: spec.schema(), recordings: recordings.to_vec(), parts: OnceLock::new() }
    }

    /// A table of these rows.
    pub(crate) fn of(rows: Arc<dyn Rows>) -> Self {
        let spec = rows.spec();
        Self { spec, schema: spec.schema(), recordings: Vec::new(), parts: OnceLock::from(vec![rows]) }
    }

    fn parts(&self) -> &[Arc<dyn Rows>] {
        let open = || self.recordings.iter().map(|recording| open_table(self.spec, recording, &[])).collect::<Vec<_>>();
        get_or_build::<Vec<_>>(&self.parts, open)
    }

    fn decides(&self, filter: &Expr) -> bool {
        let Some(first) = self.parts().first() else { return false };
        let is_cheap = |name: &str| self.schema.index_of(name).is_ok_and(|position| first.is_cheap(position));
        filter.column_refs().iter().all(|column| is_cheap(&column.name)) && !filter.is_volatile()
    }
}

#[async_trait]
impl TableProvider for RowsProvider {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let answer = |filter: &&Expr| {
            if self.decides(filter) {
                TableProviderFilterPushDown::Exact
            } else {
                TableProviderFilterPushDown::Unsupported
            }
        };
        Ok(filters.iter().map(answer).collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let all = || (0..self.schema.fields().len()).collect();
        let projection = projection.cloned().unwrap_or_else(all);
        let schema = DFSchema::try_from(Arc::clone(&self.schema))?;
        let physical = |filter: &Expr| state.create_physical_expr(filter.clone(), &schema);
        let filters = filters.iter().map(physical).collect::<Result<Vec<_>>>()?;
        let partitions = state.config().target_partitions();
        let scan = |rows: &Arc<dyn Rows>| -> Result<Arc<dyn ExecutionPlan>> {
            let scan = Scan::new(Arc::clone(rows), projection.clone(), filters.clone(), partitions, limit)?;
            Ok(scan.into_plan())
        };
        let mut plans = self.parts().iter().map(scan).collect::<Result<Vec<_>>>()?;
        if plans.len() == 1 { Ok(plans.remove(0)) } else { UnionExec::try_new(plans) }
    }
}
