-- Largest contentful paint by day: the number of page loads and the percentiles of the time since the navigation.
WITH placed AS (
  SELECT day, since_ns, rating,
    CAST(ROW_NUMBER() OVER (PARTITION BY day ORDER BY since_ns) AS BIGINT) AS place,
    COUNT(*) OVER (PARTITION BY day) AS n
  FROM milestone
  WHERE name = 'LCP' AND is_main AND NOT is_soft AND since_ns IS NOT NULL
)
SELECT day, COUNT(*) AS page_loads,
  MIN(CASE WHEN place * 2 >= n THEN since_ns END) AS p50_ns,
  MIN(CASE WHEN place * 4 >= n * 3 THEN since_ns END) AS p75_ns,
  MIN(CASE WHEN place * 100 >= n * 95 THEN since_ns END) AS p95_ns,
  COUNT(CASE WHEN rating = 'poor' THEN 1 END) AS poor
FROM placed
GROUP BY day
ORDER BY day;
