-- Every provider of every catalog, and how its newest reading went
SELECT
  catalog, provider, place, floor(extract(epoch FROM read_at))::bigint AS read_at, offers, left_out, failures, problem
FROM catalogs ORDER BY catalog, provider
