-- The value of each metric of each name in each recording of two sides: p50 and p99 of the durations, and the share of the
-- time of waiting for which the name is the blocker.
WITH side AS (
  SELECT recording_id, 'a' AS side FROM recording WHERE labels LIKE '%"build":"1"%'
  UNION ALL
  SELECT recording_id, 'b' AS side FROM recording WHERE labels LIKE '%"build":"2"%'
),
ranked AS (
  SELECT side.side, s.recording_id, s.name, s.dur,
    ROW_NUMBER() OVER (PARTITION BY s.recording_id, s.name ORDER BY s.dur) AS place,
    COUNT(*) OVER (PARTITION BY s.recording_id, s.name) AS n
  FROM slice s JOIN side ON side.recording_id = s.recording_id
  WHERE s.dur > 0
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
SELECT name, 'p50' AS metric, side, recording_id, CAST(dur AS DOUBLE) AS value
FROM ranked WHERE place = CAST(CEIL(0.5 * n) AS BIGINT)
UNION ALL
SELECT name, 'p99' AS metric, side, recording_id, CAST(dur AS DOUBLE) AS value
FROM ranked WHERE place = CAST(CEIL(0.99 * n) AS BIGINT)
UNION ALL
SELECT w.name, 'blocker share' AS metric, w.side, w.recording_id, CAST(w.ns AS DOUBLE) / a.ns AS value
FROM waits w JOIN all_waits a ON a.recording_id = w.recording_id
WHERE a.ns > 0
