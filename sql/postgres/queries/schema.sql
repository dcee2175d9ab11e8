-- name: create_ledger
-- The files of sql/postgres/migrations that this database has applied, each with the SHA-256 of its text.
CREATE TABLE IF NOT EXISTS migrations (
  name       text PRIMARY KEY,
  hash       text,
  applied_at timestamptz NOT NULL DEFAULT now()
)

-- name: unfinished
-- One row if the last release has not computed the past of a series after an upgrade to it.
SELECT
WHERE EXISTS (SELECT FROM backfills WHERE what IN ('sums', 'bins', 'last_slot') AND todo_before > 0) AND EXISTS (SELECT FROM snapshots)
  OR EXISTS (SELECT FROM flow_progress WHERE filled_from > fill_until)
