-- The present (unix seconds), and whether a market may be made here: there are no accounts and no simulation.
SELECT
  extract(epoch FROM rackrate_now())::float8 AS now,
  NOT EXISTS (SELECT FROM accounts) AND NOT EXISTS (SELECT FROM simulation) AS empty
