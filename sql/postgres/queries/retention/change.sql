-- From now on observations are kept for $1 days (null: for ever). What the retention until now took stays gone (as of retention_since.sql).
UPDATE retention
SET gone_before = greatest(gone_before, extract(epoch FROM now())::bigint - days * 86400 + 3600), days = $1
WHERE days IS DISTINCT FROM $1
