-- Names that became slower or faster from one label (a) to another (b), most certain first. The labels are in the view
-- regression_side, and each recording contributes one value per name and metric (view regression_value in views.sql): the
-- median or the 99th percentile of its durations. The rank sum test of Mann and Whitney compares the values of both sides:
-- u is the number of pairs in which that of b is greater (ties count half), z the distance from equality in standard
-- deviations, with the corrections for ties and continuity; z above 0 is slower. A |z| of 3.3 is a probability of 0.001.
-- `flowline fleet regressions` adds the probability and the blockers.
WITH measured AS (
  SELECT name, metric, side, CAST(value AS BIGINT) AS ns
  FROM regression_value
  WHERE metric <> 'blocker share'
),
ranked AS (
  SELECT name, metric, side, ns,
    -- Twice the mean rank of equal values is twice the least of their ranks, and one less than their number.
    CAST(RANK() OVER (PARTITION BY name, metric ORDER BY ns) AS BIGINT) AS least_rank,
    COUNT(*) OVER (PARTITION BY name, metric, ns) AS equal,
    CAST(ROW_NUMBER() OVER (PARTITION BY name, metric, side ORDER BY ns) AS BIGINT) AS place,
    COUNT(*) OVER (PARTITION BY name, metric, side) AS n
  FROM measured
),
sums AS (
  SELECT name, metric,
    CAST(SUM(CASE WHEN side = 'a' THEN 1 ELSE 0 END) AS BIGINT) AS n_a,
    CAST(SUM(CASE WHEN side = 'b' THEN 1 ELSE 0 END) AS BIGINT) AS n_b,
    MIN(CASE WHEN side = 'a' AND place * 2 >= n THEN ns END) AS median_a_ns,
    MIN(CASE WHEN side = 'b' AND place * 2 >= n THEN ns END) AS median_b_ns,
    CAST(SUM(CASE WHEN side = 'b' THEN 2 * least_rank + equal - 1 ELSE 0 END) AS BIGINT) AS twice_ranks_b,
    -- t equal values add t^2 - 1 each, t^3 - t together.
    CAST(SUM(equal * equal - 1) AS BIGINT) AS ties
  FROM ranked
  GROUP BY name, metric
),
tested AS (
  SELECT name, metric, n_a, n_b, median_a_ns, median_b_ns,
    CAST(twice_ranks_b - n_b * (n_b + 1) AS DOUBLE) / 2 AS u,
    CAST(n_a * n_b AS DOUBLE) AS pairs,
    CAST(n_a * n_b AS DOUBLE) / 12
      * (n_a + n_b + 1 - CAST(ties AS DOUBLE) / ((n_a + n_b) * (n_a + n_b - 1))) AS variance
  FROM sums
  WHERE n_a >= 5 AND n_b >= 5
),
scored AS (
  SELECT name, metric, n_a, n_b, median_a_ns, median_b_ns, u,
    CASE
      WHEN variance > 0 AND u - pairs / 2 > 0.5 THEN (u - pairs / 2 - 0.5) / SQRT(variance)
      WHEN variance > 0 AND u - pairs / 2 < -0.5 THEN (u - pairs / 2 + 0.5) / SQRT(variance)
      ELSE CAST(0 AS DOUBLE)
    END AS z
  FROM tested
)
SELECT name, metric, n_a, n_b, median_a_ns, median_b_ns, u, z
FROM scored
ORDER BY ABS(z) DESC, name, metric
LIMIT 50;
