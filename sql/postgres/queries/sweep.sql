-- name: read
-- The questions, samples and names of the market's sweep.
SELECT cells, samples, names, names_at AS "namesAt" FROM sweep

-- name: machines
-- All known machines.
SELECT key, offers, seen, missed FROM sweep_machines

-- name: write
-- Stores what belongs to a picture beside its machines. $1 questions, $2 samples, $3 names, $4 the slot at which these were read
INSERT INTO sweep (cells, samples, names, names_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (one) DO UPDATE
SET cells = excluded.cells, samples = excluded.samples, names = excluded.names, names_at = excluded.names_at

-- name: write_machines
-- Stores machines. $1 keys, $2 offers, $3 seen, $4 missed: arrays
INSERT INTO sweep_machines (key, offers, seen, missed)
SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::smallint[])
ON CONFLICT (key) DO UPDATE SET offers = excluded.offers, seen = excluded.seen, missed = excluded.missed

-- name: forget_machines
-- Removes machines that are gone. $1 their keys
DELETE FROM sweep_machines WHERE key = ANY ($1)

-- name: write_coverage
-- Stores the coverage of a slot beside the official counts of the last three hours. $1 slot, $2 the coverage, $3 GPUs by GPU name: JSON
INSERT INTO coverage (slot, method, share, low, high, machines, carried, age, calls, problem, states, names, official)
SELECT
  $1, method, share, low, high, machines, carried, age, calls, problem, states, names,
  (
    SELECT CASE WHEN sum(o.gpus) > 0 THEN jsonb_build_object(
      'at', max(o.at), 'gpus', sum(o.gpus), 'seen', sum(coalesce(seen.gpus, 0)), 'share', sum(coalesce(seen.gpus, 0))::float / sum(o.gpus),
      'names', jsonb_object_agg(o.gpu_name, jsonb_build_object('gpus', o.gpus, 'seen', coalesce(seen.gpus, 0)))
    ) END
    FROM official_counts o
    LEFT JOIN (SELECT key AS gpu_name, value::int AS gpus FROM json_each_text($3)) seen USING (gpu_name)
    WHERE o.at BETWEEN $1::bigint - 3 * 3600 AND $1::bigint
  )
FROM json_to_record($2) AS c (
  method text, share real, low real, high real, machines int, carried int, age int, calls int, problem text, states jsonb, names jsonb
)
ON CONFLICT (slot) DO NOTHING

-- name: own
-- Hosts and machines of the first source's market that accounts claim.
SELECT
  coalesce(array_agg(DISTINCT host) FILTER (WHERE host IS NOT NULL), '{}') AS hosts,
  coalesce(array_agg(DISTINCT machine) FILTER (WHERE machine IS NOT NULL), '{}') AS machines
FROM claims c
JOIN sources s ON s.name = c.source AND s.is_first
LEFT JOIN LATERAL unnest(c.hosts, c.machines) AS own (host, machine) ON true

-- name: newest
-- The coverage of the newest slot that has one.
SELECT slot, method, share, low, high, machines, carried, age, calls, problem, states, official - 'names' AS official
FROM coverage ORDER BY slot DESC LIMIT 1
