-- The value of each metric of each name in each recording of two sides: p50 and p99 of the durations, and the share of the
-- time of waiting for which the name is the blocker.
WITH side AS (
  SELECT recording_id, 'a' AS side FROM recording WHERE labels LIKE '%"build":"1"%'
  UNION ALL
  SELECT recording_id, 'b' AS side FROM recording WHERE labels LIKE '%"build":"2"%'
),
ranked AS (
  SELECT side.side, s.recording_id, s.name, s.dur,
    CAST(ROW_NUMBER() OVER (PARTITION BY s.recording_id, s.name ORDER BY s.dur) AS BIGINT) AS place,
    COUNT(*) OVER (PARTITION BY s.recording_id, s.name) AS n
  FROM slice s JOIN side ON side.recording_id = s.recording_id
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
  FROM flow_timeline t JOIN side ON side.recording_id = t.recording_id
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
WHERE a.ns > 0
