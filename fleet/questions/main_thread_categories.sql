-- Time of main threads by category: the self time of nested slices, so that no moment counts twice, and its share of
-- all categories in percent.
WITH spent AS (
  SELECT s.category, COUNT(*) AS slices, COUNT(DISTINCT s.recording_id) AS recordings,
    CAST(SUM(s.self_dur) AS BIGINT) AS self_ns
  FROM slice s JOIN thread t ON t.recording_id = s.recording_id AND t.utid = s.track_id
  WHERE t.is_main_thread AND s.depth IS NOT NULL AND s.self_dur IS NOT NULL
  GROUP BY s.category
),
whole AS (
  SELECT CAST(SUM(self_ns) AS DOUBLE) AS self_ns FROM spent
)
SELECT spent.category, spent.slices, spent.recordings, spent.self_ns,
  CASE WHEN whole.self_ns > 0 THEN CAST(spent.self_ns AS DOUBLE) * 100 / whole.self_ns ELSE CAST(0 AS DOUBLE) END AS percent
FROM spent CROSS JOIN whole
ORDER BY spent.self_ns DESC, spent.category;
