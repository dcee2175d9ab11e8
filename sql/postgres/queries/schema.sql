-- name: create_ledger
-- The files of sql/postgres/migrations that this database has applied, each with the SHA-256 of its text.
CREATE TABLE IF NOT EXISTS migrations (
  name       text PRIMARY KEY,
  hash       text,
  applied_at timestamptz NOT NULL DEFAULT now()
)
