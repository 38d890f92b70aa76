-- The tables of a folder of exported recordings as views for Spark SQL. ${folder} is the folder:
--   spark-sql -d folder=/data/tables -i fleet/views.sql -f fleet/questions/slowest_recordings.sql
-- Columns that a file of an older version lacks are NULL. The day of a partition is text, because recordings without a
-- start time are in day=unknown.

CREATE OR REPLACE TEMPORARY VIEW recording (
  recording_id STRING,
  file STRING,
  format STRING,
  version BIGINT,
  product STRING,
  os STRING,
  host STRING,
  start_unix_ns BIGINT,
  start_ns BIGINT,
  duration_ns BIGINT,
  labels STRING,
  day STRING
) USING parquet OPTIONS (path '${folder}/recording');

CREATE OR REPLACE TEMPORARY VIEW process (
  recording_id STRING,
  upid BIGINT,
  pid BIGINT,
  name STRING,
  start_ns BIGINT,
  end_ns BIGINT,
  day STRING
) USING parquet OPTIONS (path '${folder}/process');

CREATE OR REPLACE TEMPORARY VIEW thread (
  recording_id STRING,
  utid BIGINT,
  tid BIGINT,
  upid BIGINT,
  name STRING,
  is_main_thread BOOLEAN,
  day STRING
) USING parquet OPTIONS (path '${folder}/thread');

CREATE OR REPLACE TEMPORARY VIEW track (
  recording_id STRING,
  track_id BIGINT,
  utid BIGINT,
  upid BIGINT,
  kind STRING,
  name STRING,
  parent_id BIGINT,
  unit STRING,
  day STRING
) USING parquet OPTIONS (path '${folder}/track');

CREATE OR REPLACE TEMPORARY VIEW slice (
  recording_id STRING,
  id BIGINT,
  ts BIGINT,
  dur BIGINT,
  track_id BIGINT,
  utid BIGINT,
  category STRING,
  name STRING,
  depth BIGINT,
  parent_id BIGINT,
  self_dur BIGINT,
  thread_dur BIGINT,
  arg_set_id BIGINT,
  day STRING
) USING parquet OPTIONS (path '${folder}/slice');

CREATE OR REPLACE TEMPORARY VIEW args (
  recording_id STRING,
  arg_set_id BIGINT,
  key STRING,
  type STRING,
  string_value STRING,
  int_value BIGINT,
  real_value DOUBLE,
  day STRING
) USING parquet OPTIONS (path '${folder}/args');

CREATE OR REPLACE TEMPORARY VIEW counter (
  recording_id STRING,
  track_id BIGINT,
  ts BIGINT,
  value DOUBLE,
  day STRING
) USING parquet OPTIONS (path '${folder}/counter');

CREATE OR REPLACE TEMPORARY VIEW flow (
  recording_id STRING,
  flow_id BIGINT,
  slice_out BIGINT,
  slice_in BIGINT,
  day STRING
) USING parquet OPTIONS (path '${folder}/flow');

CREATE OR REPLACE TEMPORARY VIEW flow_member (
  recording_id STRING,
  flow_id BIGINT,
  slice_id BIGINT,
  step BIGINT,
  day STRING
) USING parquet OPTIONS (path '${folder}/flow_member');

CREATE OR REPLACE TEMPORARY VIEW flow_timeline (
  recording_id STRING,
  flow_id BIGINT,
  name STRING,
  kind STRING,
  resource STRING,
  ts BIGINT,
  dur BIGINT,
  run_ns BIGINT,
  wait_ns BIGINT,
  longest_wait_ns BIGINT,
  posted_from BIGINT,
  blocker STRING,
  day STRING
) USING parquet OPTIONS (path '${folder}/flow_timeline');

CREATE OR REPLACE TEMPORARY VIEW critical_path (
  recording_id STRING,
  path_id BIGINT,
  seq BIGINT,
  kind STRING,
  ts BIGINT,
  dur BIGINT,
  slice_id BIGINT,
  utid BIGINT,
  blocker STRING,
  day STRING
) USING parquet OPTIONS (path '${folder}/critical_path');

CREATE OR REPLACE TEMPORARY VIEW stack_sample (
  recording_id STRING,
  ts BIGINT,
  utid BIGINT,
  cpu_delta_ns BIGINT,
  weight DOUBLE,
  stack_id BIGINT,
  category STRING,
  day STRING
) USING parquet OPTIONS (path '${folder}/stack_sample');

CREATE OR REPLACE TEMPORARY VIEW stack_frame (
  recording_id STRING,
  stack_id BIGINT,
  depth BIGINT,
  function STRING,
  file STRING,
  line BIGINT,
  library STRING,
  day STRING
) USING parquet OPTIONS (path '${folder}/stack_frame');

CREATE OR REPLACE TEMPORARY VIEW network_request (
  recording_id STRING,
  slice_id BIGINT,
  upid BIGINT,
  url STRING,
  method STRING,
  status BIGINT,
  mime STRING,
  resource_type STRING,
  protocol STRING,
  priority STRING,
  initial_priority STRING,
  initiator STRING,
  cache STRING,
  outcome STRING,
  ts BIGINT,
  dur BIGINT,
  redirect_ns BIGINT,
  queued_ns BIGINT,
  stalled_ns BIGINT,
  dns_ns BIGINT,
  connect_ns BIGINT,
  tls_ns BIGINT,
  sent_ns BIGINT,
  waiting_ns BIGINT,
  download_ns BIGINT,
  processing_ns BIGINT,
  open_ns BIGINT,
  unknown_ns BIGINT,
  encoded_bytes BIGINT,
  decoded_bytes BIGINT,
  day STRING
) USING parquet OPTIONS (path '${folder}/network_request');

CREATE OR REPLACE TEMPORARY VIEW milestone (
  recording_id STRING,
  navigation BIGINT,
  name STRING,
  mark STRING,
  ts BIGINT,
  since_ns BIGINT,
  value_ns BIGINT,
  rating STRING,
  is_main BOOLEAN,
  is_soft BOOLEAN,
  url STRING,
  utid BIGINT,
  slice_id BIGINT,
  unknown STRING,
  day STRING
) USING parquet OPTIONS (path '${folder}/milestone');

CREATE OR REPLACE TEMPORARY VIEW insight (
  recording_id STRING,
  name STRING,
  navigation BIGINT,
  upid BIGINT,
  state STRING,
  summary STRING,
  ts BIGINT,
  dur BIGINT,
  slice_id BIGINT,
  day STRING
) USING parquet OPTIONS (path '${folder}/insight');

-- The recordings that `questions/regressions.sql` compares: build 1 (a) with build 2 (b). Change the labels.
CREATE OR REPLACE TEMPORARY VIEW regression_side AS
SELECT recording_id, 'a' AS side FROM recording WHERE labels LIKE '%"build":"1"%'
UNION ALL
SELECT recording_id, 'b' AS side FROM recording WHERE labels LIKE '%"build":"2"%';

-- The value of each metric of each name in each of these recordings: p50 and p99 of the durations, and the share of the
-- time of waiting for which the name is the blocker.
CREATE OR REPLACE TEMPORARY VIEW regression_value AS
WITH ranked AS (
  SELECT side.side, s.recording_id, s.name, s.dur,
    CAST(ROW_NUMBER() OVER (PARTITION BY s.recording_id, s.name ORDER BY s.dur) AS BIGINT) AS place,
    COUNT(*) OVER (PARTITION BY s.recording_id, s.name) AS n
  FROM slice s JOIN regression_side side ON side.recording_id = s.recording_id
  WHERE s.self_dur IS NOT NULL
),
percentiles AS (
  SELECT name, side, recording_id,
    MIN(CASE WHEN place * 2 >= n THEN dur END) AS p50,
    MIN(CASE WHEN place * 100 >= n * 99 THEN dur END) AS p99
  FROM ranked
  GROUP BY name, side, recording_id
),
waits AS (
  SELECT side.side, t.recording_id, t.blocker AS name, SUM(t.longest_wait_ns) AS ns
  FROM flow_timeline t JOIN regression_side side ON side.recording_id = t.recording_id
  WHERE t.blocker IS NOT NULL
  GROUP BY side.side, t.recording_id, t.blocker
),
all_waits AS (
  SELECT recording_id, SUM(ns) AS ns FROM waits GROUP BY recording_id
)
-- A union of both percentiles would compute them twice.
SELECT p.name, m.metric, p.side, p.recording_id,
  CAST(CASE WHEN m.metric = 'p50' THEN p.p50 ELSE p.p99 END AS DOUBLE) AS value
FROM percentiles p CROSS JOIN (SELECT 'p50' AS metric UNION ALL SELECT 'p99' AS metric) m
UNION ALL
SELECT w.name, 'blocker share' AS metric, w.side, w.recording_id, CAST(w.ns AS DOUBLE) / a.ns AS value
FROM waits w JOIN all_waits a ON a.recording_id = w.recording_id
WHERE a.ns > 0;
