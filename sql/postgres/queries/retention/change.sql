-- From now on observations are kept for $1 days (null: forever). What the earlier retention removed stays removed (see since.sql).
UPDATE retention
SET gone_before = greatest(gone_before, extract(epoch FROM rackrate_now())::bigint - days * 86400 + 3600), days = $1
WHERE days IS DISTINCT FROM $1
