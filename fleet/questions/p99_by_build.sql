-- Durations of the slices of a name, by build: count, median, 99th percentile and maximum over all recordings.
-- Change the name and the label. Percentiles are by nearest rank: the smallest duration whose place is at least 99 % of
-- the count. Instants and unfinished slices have no self_dur.
WITH build AS (
  SELECT recording_id, SPLIT_PART(SPLIT_PART(labels, '"build":"', 2), '"', 1) AS build
  FROM recording
  WHERE labels LIKE '%"build":"%'
),
ranked AS (
  SELECT b.build, s.recording_id, s.dur,
    CAST(ROW_NUMBER() OVER (PARTITION BY b.build ORDER BY s.dur) AS BIGINT) AS place,
    COUNT(*) OVER (PARTITION BY b.build) AS n
  FROM slice s JOIN build b ON b.recording_id = s.recording_id
  WHERE s.name = 'Runnable' AND s.self_dur IS NOT NULL
)
SELECT build, COUNT(DISTINCT recording_id) AS recordings, COUNT(*) AS slices,
  MIN(CASE WHEN place * 2 >= n THEN dur END) AS p50_ns,
  MIN(CASE WHEN place * 100 >= n * 99 THEN dur END) AS p99_ns,
  MAX(dur) AS max_ns
FROM ranked
GROUP BY build
ORDER BY build;
