-- The five names that page loads waited for longest, by day: waits on the critical path to the load event of the main
-- frame, by what ran longest on the thread meanwhile.
WITH page_load AS (
  SELECT DISTINCT recording_id, slice_id
  FROM milestone
  WHERE name = 'Load' AND is_main AND slice_id IS NOT NULL
),
blocked AS (
  SELECT p.day, p.blocker, COUNT(*) AS waits, COUNT(DISTINCT p.recording_id) AS recordings,
    CAST(SUM(p.dur) AS BIGINT) AS wait_ns
  FROM critical_path p JOIN page_load l ON l.recording_id = p.recording_id AND l.slice_id = p.path_id
  WHERE p.blocker IS NOT NULL
  GROUP BY p.day, p.blocker
),
ranked AS (
  SELECT day, blocker, waits, recordings, wait_ns,
    ROW_NUMBER() OVER (PARTITION BY day ORDER BY wait_ns DESC, blocker) AS place
  FROM blocked
)
SELECT day, place, blocker, waits, recordings, wait_ns
FROM ranked
WHERE place <= 5
ORDER BY day, place;
