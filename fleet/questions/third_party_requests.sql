-- Hosts of third-party requests, slowest 95th percentile first. A request is third-party if its host is neither the host
-- of a page of the recording, without `www.`, nor below it. Recordings without a navigation have no page.
WITH page AS (
  SELECT DISTINCT recording_id,
    REPLACE('.' || SPLIT_PART(SPLIT_PART(url, '/', 3), ':', 1), '.www.', '.') AS site
  FROM milestone
  WHERE name = 'navigation' AND is_main AND url LIKE 'http%'
),
request AS (
  SELECT recording_id, slice_id, dur, waiting_ns, encoded_bytes, SPLIT_PART(SPLIT_PART(url, '/', 3), ':', 1) AS host
  FROM network_request
  WHERE outcome = 'finished' AND url LIKE 'http%'
),
party AS (
  SELECT q.recording_id, q.slice_id, q.host, q.dur, q.waiting_ns, q.encoded_bytes
  FROM request q JOIN page p ON p.recording_id = q.recording_id
  GROUP BY q.recording_id, q.slice_id, q.host, q.dur, q.waiting_ns, q.encoded_bytes
  HAVING MAX(CASE WHEN ('.' || q.host) LIKE ('%' || p.site) THEN 1 ELSE 0 END) = 0
),
placed AS (
  SELECT host, recording_id, dur, waiting_ns, encoded_bytes,
    CAST(ROW_NUMBER() OVER (PARTITION BY host ORDER BY dur) AS BIGINT) AS place,
    COUNT(*) OVER (PARTITION BY host) AS n
  FROM party
)
SELECT host, COUNT(DISTINCT recording_id) AS recordings, COUNT(*) AS requests,
  MIN(CASE WHEN place * 2 >= n THEN dur END) AS p50_ns,
  MIN(CASE WHEN place * 100 >= n * 95 THEN dur END) AS p95_ns,
  MAX(COALESCE(waiting_ns, 0)) AS longest_waiting_ns,
  CAST(SUM(COALESCE(encoded_bytes, 0)) AS BIGINT) AS encoded_bytes
FROM placed
GROUP BY host
ORDER BY p95_ns DESC, host
LIMIT 20;
