-- Functions with the most CPU samples over all recordings: samples whose innermost frame is the function, without those
-- of idle threads. Weights are whole thousandths, so that the order of the rows does not change their sum.
SELECT f.function, COALESCE(f.library, '') AS library, COUNT(*) AS samples,
  COUNT(DISTINCT s.recording_id) AS recordings,
  CAST(SUM(CAST(FLOOR(s.weight * 1000 + 0.5) AS BIGINT)) AS BIGINT) AS weight_thousandths,
  CAST(SUM(COALESCE(s.cpu_delta_ns, 0)) AS BIGINT) AS cpu_ns
FROM stack_sample s JOIN stack_frame f ON f.recording_id = s.recording_id AND f.stack_id = s.stack_id
WHERE f.depth = 0 AND COALESCE(s.category, '') <> 'Idle'
GROUP BY f.function, COALESCE(f.library, '')
ORDER BY weight_thousandths DESC, f.function, library
LIMIT 30;
