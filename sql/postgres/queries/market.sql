-- name: capture
-- Takes the snapshot of one slot: the current market goes to the spool. One statement reads one consistent view of the market and
-- leaves no partial slot. No row: the slot is in the ledger already, or the market comes from a source. A machine with more GPUs
-- in contracts than it has is left out: `left_out` is their number, `left_out_machines` the first ten. `left_out_specs` is the number of specs that are
-- given and not possible.
-- $1 slot (unix seconds), $2 source, $3 machines per part
WITH held AS (
  SELECT c.machine_id, c.price, c.rental_type, count(*)::int AS gpus
  FROM contracts c JOIN gpu_holds h ON h.contract_id = c.id
  WHERE c.ended_at IS NULL AND c.starts_at <= rackrate_now() AND (c.ends_at IS NULL OR c.ends_at > rackrate_now())
  GROUP BY c.machine_id, c.price, c.rental_type
),
states AS (
  -- A window instead of a join of `held` with itself: without statistics, as after pg_restore, the join is planned as a loop over
  -- all pairs.
  SELECT machine_id, rented, price, rental_type, CASE WHEN rented THEN gpus ELSE gpus - held_gpus END AS gpus, held_gpus
  FROM (
    SELECT *, coalesce(sum(gpus) FILTER (WHERE rented) OVER (PARTITION BY machine_id), 0)::int AS held_gpus
    FROM (
      SELECT machine_id, true AS rented, price, rental_type, gpus FROM held
      UNION ALL
      SELECT m.id, false, l.price, NULL, m.num_gpus
      FROM machines m
      JOIN gpu_listings l ON l.machine_id = m.id AND l.ended_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > rackrate_now())
      WHERE m.online AND m.removed_at IS NULL
    ) AS seen
  ) AS summed
),
lines AS MATERIALIZED (
  -- A machine's class is `available` while one of its GPUs is free: false sorts first, and that row counts the machine.
  -- Rows that are left out have no line, and come last, so that the numbers of the parts have no gap.
  SELECT
    (row_number() OVER (ORDER BY s.held_gpus > m.num_gpus, s.machine_id) - 1) / $3::int AS part,
    CASE WHEN s.held_gpus > m.num_gpus THEN m.id END AS left_out,
    CASE WHEN s.held_gpus <= m.num_gpus THEN json_build_array(
      $1::bigint, m.id, m.gpu_name, m.num_gpus, s.gpus,
      (row_number() OVER states_of_machine = 1)::int,
      s.rented, m.verification = 'verified', m.hosting_type, s.price,
      m.tflops / m.num_gpus, m.dlperf / m.num_gpus, $2::text,
      m.account_id, coalesce(m.country, ''), m.gpu_ram, coalesce(s.rental_type, 'unknown'), m.min_gpus,
      -- Terms in the order of the table `terms`. A machine without a listing has none, though it may be rented.
      coalesce(nullif(replace(json_build_array(
        trim_scale(l.min_bid), floor(extract(epoch FROM l.expires_at))::bigint, trim_scale(l.credit_discount_max),
        CASE WHEN l.id IS NOT NULL THEN trim_scale(m.reliability) END, trim_scale(l.storage_cost),
        trim_scale(l.inet_up_cost), trim_scale(l.inet_down_cost)
      )::text, ' ', ''), '[null,null,null,null,null,null,null]'), ''),
      m.specs, m.verification, 0
    )::text END AS line,
    m.left_out_specs * (row_number() OVER states_of_machine = 1)::int AS left_out_specs
  FROM states s
  JOIN machines m ON m.id = s.machine_id
  LEFT JOIN gpu_listings l ON l.machine_id = m.id AND l.ended_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > rackrate_now())
  WHERE s.gpus > 0
  WINDOW states_of_machine AS (PARTITION BY m.id ORDER BY s.rented, s.price, s.rental_type)
),
taken AS (
  INSERT INTO snapshots (slot, source, observations)
  SELECT $1, $2, count(line) FROM lines HAVING NOT EXISTS (SELECT FROM collector)
  ON CONFLICT DO NOTHING
  RETURNING slot, observations
),
spooled AS (
  INSERT INTO spool (slot, part, rows)
  SELECT taken.slot, part, string_agg(line, E'\n') FROM lines CROSS JOIN taken WHERE line IS NOT NULL
  GROUP BY taken.slot, part
)
SELECT
  slot, observations, (SELECT count(DISTINCT left_out)::int FROM lines) AS left_out,
  ARRAY (SELECT DISTINCT left_out FROM lines WHERE left_out IS NOT NULL ORDER BY left_out LIMIT 10) AS left_out_machines,
  (SELECT coalesce(sum(left_out_specs), 0)::int FROM lines) AS left_out_specs
FROM taken

-- name: current_slot
-- The current slot (unix seconds) by the database's clock. $1 seconds between slots
SELECT floor(extract(epoch FROM rackrate_now()) / $1)::bigint * $1 AS slot

-- name: filling
-- The finished share of the simulated history, 0 to 1. No row: no history is being generated.
SELECT (anchor_slot - filled_from)::float8 / (anchor_slot - fill_until) AS share
FROM simulation
WHERE filled_from > fill_until AND anchor_slot > fill_until

-- name: own_machines
-- Machines of an account with their listing and rented GPUs, by GPU and id. $1 account, $2 the most machines, $3 after this id;
-- 0: from the first, $4 only this id; 0: all
SELECT
  m.id, m.gpu_name, m.num_gpus, m.gpu_ram, m.verification = 'verified' AS verified, m.hosting_type, m.online,
  l.price::float8 AS price, coalesce(h.gpus, 0) AS rented_gpus, h.price AS rented_price
FROM machines m
LEFT JOIN gpu_listings l ON l.machine_id = m.id AND l.ended_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > rackrate_now())
LEFT JOIN LATERAL (
  SELECT count(*)::int AS gpus, avg(c.price)::float8 AS price
  FROM contracts c JOIN gpu_holds h ON h.contract_id = c.id
  WHERE c.machine_id = m.id AND c.ended_at IS NULL AND c.starts_at <= rackrate_now() AND (c.ends_at IS NULL OR c.ends_at > rackrate_now())
) h ON true
WHERE m.account_id = $1 AND m.removed_at IS NULL
  AND ($4::bigint = 0 OR m.id = $4)
  AND ($3::bigint = 0 OR (m.gpu_name, m.id) > (SELECT p.gpu_name, p.id FROM machines p WHERE p.id = $3 AND p.account_id = $1))
ORDER BY m.gpu_name, m.id
LIMIT $2

-- name: places
-- The locations of machines. A place is a city or region with a country at its end: 'California, US'. $1 their ids
SELECT
  id,
  coalesce(regexp_replace(geolocation, '\s*,\s*[A-Z]{2}\s*$', ''), '') AS city,
  coalesce(country, '') AS country_code,
  round(latitude::numeric, 4) AS latitude,
  round(longitude::numeric, 4) AS longitude
FROM machines
WHERE id = ANY ($1::bigint[])
