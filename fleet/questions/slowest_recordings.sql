-- The 20 recordings in which the slices of a name took longest together. Change the name.
SELECT r.recording_id, r.file, COUNT(*) AS slices, CAST(SUM(s.dur) AS BIGINT) AS total_ns, MAX(s.dur) AS max_ns
FROM slice s JOIN recording r ON r.recording_id = s.recording_id
WHERE s.name = 'Runnable' AND s.self_dur IS NOT NULL
GROUP BY r.recording_id, r.file
ORDER BY total_ns DESC, r.recording_id
LIMIT 20;
