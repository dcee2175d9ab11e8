-- name: counts
-- Stores the newest official counts. $1 rows of gpu_name, at and gpus: JSON. Older ones do not replace newer ones.
INSERT INTO official_counts (gpu_name, at, gpus)
SELECT gpu_name, at, gpus FROM json_to_recordset($1) AS c (gpu_name text, at bigint, gpus int)
ON CONFLICT (gpu_name) DO UPDATE SET at = excluded.at, gpus = excluded.gpus WHERE official_counts.at <= excluded.at

-- name: due
-- Takes the servers that are due. While one is read, and after the process died, it is left alone. $1 seconds that a reading may take, $2 the source of the
-- one that is read at once; NULL: all that are due
UPDATE official_servers SET ask_after = rackrate_now() + make_interval(secs => $1)
WHERE CASE WHEN $2::text IS NULL THEN ask_after <= rackrate_now() ELSE source = $2 END
RETURNING id, source, url, key_sealed, first_time

-- name: fail
-- Records a failed reading. It is repeated after 10 minutes, then 20, 40, and every hour. $1 id, $2 the reason, $3 the earliest next request that the server
-- accepts (unix seconds; 0: not reported)
UPDATE official_servers
SET
  failures = failures + 1, problem = $2,
  ask_after = greatest(to_timestamp($3), rackrate_now() + least(interval '1 hour', interval '10 minutes' * 2 ^ least(failures, 3)))
WHERE id = $1

-- name: forget
-- Removes the server of a source. The aggregates stay. $1 the source
DELETE FROM official_servers WHERE source = $1

-- name: keep
-- Stores the server of a source. $1 source, $2 url, $3 the sealed key, $4 the time before which nothing is read
INSERT INTO official_servers (source, url, key_sealed, first_time) VALUES ($1, $2, $3, $4)
ON CONFLICT (source) DO UPDATE
SET url = $2, key_sealed = $3, first_time = $4, failures = 0, problem = NULL, ask_after = rackrate_now()

-- name: note_part
-- Records a part that was read. $1 verified, $2 start, $3 the time up to which it was read, $4 rows, $5 what was left out: JSON
INSERT INTO official_parts (verified, start, read_to, rows, left_out) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (verified, start) DO UPDATE
SET read_to = $3, rows = official_parts.rows + $4, left_out = official_parts.left_out || $5::jsonb

-- name: parts
-- The parts that were read.
SELECT verified, start, read_to, rows FROM official_parts

-- name: left_out
-- GPU names that were left out, with the newest reason.
SELECT DISTINCT ON (gpu_name) gpu_name, reason
FROM official_parts, jsonb_each_text(left_out) AS left_out (gpu_name, reason)
ORDER BY gpu_name, start DESC

-- name: read
-- Records a good reading. $1 id, $2 seconds until the next one
UPDATE official_servers
SET failures = 0, problem = NULL, read_at = rackrate_now(), ask_after = rackrate_now() + make_interval(secs => $2)
WHERE id = $1

-- name: server
-- The server of a source. $1 the source; NULL: the first
SELECT url, floor(extract(epoch FROM read_at))::bigint AS read_at, failures, problem
FROM official_servers
WHERE source = coalesce($1, (SELECT name FROM sources WHERE is_first))

-- name: range
-- The time of which official aggregates were read.
SELECT min(start) AS first, max(read_to) AS last FROM official_parts WHERE rows > 0
