-- name: keep
-- Stores rows, which replace rows of earlier editions. $1 kind, $2 edition, $3 rows by GPU name as JSON
INSERT INTO comparables (kind, edition, gpu_name, rows)
SELECT $1, $2, made.key, made.value FROM json_each($3::json) AS made
ON CONFLICT (kind, gpu_name) DO UPDATE SET edition = excluded.edition, rows = excluded.rows

-- name: kept
-- The rows of some GPU names, if they are of the requested edition. $1 kind, $2 edition, $3 names
SELECT gpu_name, rows FROM comparables WHERE kind = $1 AND edition = $2 AND gpu_name = ANY ($3)

-- name: edition
-- The edition of a GPU name that was stored last. $1 kind, $2 name
SELECT edition FROM comparables WHERE kind = $1 AND gpu_name = $2
