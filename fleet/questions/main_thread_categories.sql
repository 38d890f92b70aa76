-- Time of main threads by category: the self time of nested slices, so that no moment counts twice, and its share of
-- all categories in percent.
WITH spent AS (
  SELECT s.category, COUNT(*) AS slices, COUNT(DISTINCT s.recording_id) AS recordings,
    CAST(SUM(s.self_dur) AS BIGINT) AS self_ns
  FROM slice s JOIN thread t ON t.recording_id = s.recording_id AND t.utid = s.track_id
  WHERE t.is_main_thread AND s.depth IS NOT NULL AND s.self_dur IS NOT NULL
  GROUP BY s.category
),
summed AS (
  SELECT category, slices, recordings, self_ns, CAST(SUM(self_ns) OVER () AS DOUBLE) AS whole_ns
  FROM spent
)
SELECT category, slices, recordings, self_ns,
  CASE WHEN whole_ns > 0 THEN CAST(self_ns AS DOUBLE) * 100 / whole_ns ELSE CAST(0 AS DOUBLE) END AS percent
FROM summed
ORDER BY self_ns DESC, category;
