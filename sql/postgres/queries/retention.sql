-- name: change
-- Sets the days that observations are kept to $1 (null: forever). Observations that were dropped under the earlier retention stay
-- dropped (see `since`).
UPDATE retention
SET gone_before = greatest(gone_before, extract(epoch FROM rackrate_now())::bigint - days * 86400 + 3600), days = $1
WHERE days IS DISTINCT FROM $1

-- name: gone
-- Records that observations before $1 (unix seconds) may be dropped.
UPDATE retention SET gone_before = $1 WHERE gone_before < $1

-- name: since
-- The time (unix seconds) since which all observations are kept; 0: since the first. An hour is added, since ClickHouse has a
-- clock of its own.
SELECT greatest(gone_before, extract(epoch FROM rackrate_now())::bigint - days * 86400 + 3600) AS since FROM retention
