-- Flows that wait longest, and for what: the longest wait of each flow, by the kind of the flow and by the name of what
-- ran longest on its thread meanwhile.
SELECT kind, COALESCE(blocker, '(nothing recorded)') AS blocked_by, COUNT(*) AS flows,
  COUNT(DISTINCT recording_id) AS recordings,
  CAST(SUM(longest_wait_ns) AS BIGINT) AS wait_ns, MAX(longest_wait_ns) AS longest_wait_ns
FROM flow_timeline
WHERE longest_wait_ns > 0
GROUP BY kind, COALESCE(blocker, '(nothing recorded)')
ORDER BY wait_ns DESC, kind, blocked_by
LIMIT 30;
