-- name: change
-- From now on observations are kept for $1 days (null: forever). What the earlier retention removed stays removed (see `since`).
UPDATE retention
SET gone_before = greatest(gone_before, extract(epoch FROM rackrate_now())::bigint - days * 86400 + 3600), days = $1
WHERE days IS DISTINCT FROM $1

-- name: gone
-- Notes that observations before $1 (unix seconds) may be gone.
UPDATE retention SET gone_before = $1 WHERE gone_before < $1

-- name: since
-- From when on (unix seconds) all observations are there; 0: from the first on. An hour late, since ClickHouse has a clock of its own.
SELECT greatest(gone_before, extract(epoch FROM rackrate_now())::bigint - days * 86400 + 3600) AS since FROM retention
