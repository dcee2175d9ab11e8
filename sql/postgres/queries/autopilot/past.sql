-- What was decided on machines of an account in a market: the price that each was left at and when, and when it was changed within 30 days. Where the
-- price could not be read behind the change, it has two slots to show. $1 account, $2 source; null: the first market, $3 seconds between slots
WITH done AS (
  SELECT
    machine_id, number, coalesce(read_price, new_price)::float8 AS price,
    extract(epoch FROM done_at)::float8 + CASE WHEN read_price IS NULL THEN 2 * $3::float8 ELSE 0 END AS at
  FROM autopilot_decisions
  WHERE account_id = $1 AND source IS NOT DISTINCT FROM $2 AND state = 'read_back'
),
newest AS (SELECT DISTINCT ON (machine_id) machine_id, price, at FROM done ORDER BY machine_id, number DESC),
changed AS (
  SELECT machine_id, json_agg(extract(epoch FROM called_at)::float8) AS times, bool_or(state IN ('decided', 'called', 'answered')) AS is_open
  FROM autopilot_decisions
  WHERE account_id = $1 AND source IS NOT DISTINCT FROM $2 AND stage = 'live' AND kind <> 'refusal'
    AND (called_at > rackrate_now() - interval '30 days' OR state = 'decided')
  GROUP BY machine_id
)
SELECT machine_id::float8 AS id, n.price, n.at, c.times, coalesce(c.is_open, false) AS is_open
FROM newest n FULL JOIN changed c USING (machine_id)
