-- Notes a statement that is about to run, unless its account has used up its hour: then `begun` is false, and in `retry_after` seconds
-- the oldest statement leaves the hour. A statement whose end nobody noted counts for as long as one can run.
-- $1 id, $2 account (null: no limit), $3 query, $4 parameters, $5 format; per hour: $6 statements, $7 seconds, $8 rows of results
WITH hour AS (
  SELECT
    count(*) AS statements,
    coalesce(sum(extract(epoch FROM
      least(coalesce(finished_at, rackrate_now()), started_at + interval '70 seconds') - started_at)), 0) AS seconds,
    coalesce(sum(result_rows), 0) AS result_rows,
    min(started_at) AS oldest
  FROM sql_queries
  WHERE account_id = $2 AND started_at > rackrate_now() - interval '1 hour'
), begun AS (
  INSERT INTO sql_queries (id, account_id, query, parameters, format)
  SELECT $1, $2, $3, $4, $5 FROM hour
  WHERE $2::int IS NULL OR (statements < $6 AND seconds < $7 AND result_rows < $8)
  RETURNING id
)
SELECT
  EXISTS (SELECT FROM begun) AS begun,
  ceil(extract(epoch FROM oldest + interval '1 hour' - rackrate_now()))::int AS retry_after
FROM hour
