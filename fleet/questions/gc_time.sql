-- Time of garbage collection per recording, on main threads and on others, longest first. Collections that nest or
-- overlap on a thread count once. GCMajor of Firefox is left out: it lasts from the first to the last slice of an
-- incremental collection, and the program runs meanwhile.
WITH gc AS (
  SELECT recording_id, utid, id, ts, ts + dur AS end_ts
  FROM slice
  WHERE self_dur IS NOT NULL AND utid IS NOT NULL
    AND (name IN ('GCSlice', 'GCMinor', 'CC', 'CCSlice', 'MajorGC', 'MinorGC') OR name LIKE 'V8.GC%')
),
reached AS (
  SELECT recording_id, utid, ts, end_ts,
    MAX(end_ts) OVER (
      PARTITION BY recording_id, utid ORDER BY ts, end_ts, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS before_ts
  FROM gc
),
uncovered AS (
  SELECT recording_id, utid,
    CASE
      WHEN before_ts IS NULL OR before_ts <= ts THEN end_ts - ts
      WHEN before_ts < end_ts THEN end_ts - before_ts
      ELSE 0
    END AS ns
  FROM reached
),
spent AS (
  SELECT u.recording_id, COUNT(*) AS collections,
    CAST(SUM(CASE WHEN t.is_main_thread THEN u.ns ELSE 0 END) AS BIGINT) AS main_thread_ns,
    CAST(SUM(CASE WHEN t.is_main_thread THEN 0 ELSE u.ns END) AS BIGINT) AS other_threads_ns
  FROM uncovered u JOIN thread t ON t.recording_id = u.recording_id AND t.utid = u.utid
  GROUP BY u.recording_id
)
SELECT r.recording_id, r.file, s.collections, s.main_thread_ns, s.other_threads_ns
FROM spent s JOIN recording r ON r.recording_id = s.recording_id
ORDER BY s.main_thread_ns DESC, s.other_threads_ns DESC, r.recording_id
LIMIT 50;
