-- What the marketplace told with the key of an account of some of its machines. Days count back from the last one that is known of a machine.
-- $1 account, $2 source, $3 machines
SELECT
  m.machine_id::float8 AS id,
  json_build_object(
    'read_at', floor(extract(epoch FROM m.read_at))::bigint, 'listed', m.listed, 'price', m.price, 'min_bid', m.min_bid, 'occupancy', m.occupancy,
    'earned', CASE WHEN m.earned_to IS NOT NULL THEN json_build_object(
      'until', (m.earned_to + 1) * 86400::bigint, 'read_at', floor(extract(epoch FROM m.earned_read_at))::bigint,
      'usd', json_build_object('1d', e.usd_1d, '7d', e.usd_7d, '30d', e.usd_30d),
      'days', json_build_object('1d', least(d.known, 1), '7d', least(d.known, 7), '30d', least(d.known, 30))
    ) END
  ) AS marketplace
FROM claim_keys k JOIN claim_machines m ON m.key_id = k.id,
LATERAL (SELECT m.earned_to - m.earned_from + 1 AS known) d,
LATERAL (
  SELECT
    coalesce(sum(usd) FILTER (WHERE age < 1), 0) AS usd_1d, coalesce(sum(usd) FILTER (WHERE age < 7), 0) AS usd_7d,
    coalesce(sum(usd) FILTER (WHERE age < 30), 0) AS usd_30d
  FROM (
    SELECT gpu + storage + traffic AS usd, m.earned_to - day AS age FROM claim_earnings
    WHERE key_id = k.id AND machine_id = m.machine_id AND day BETWEEN greatest(m.earned_from, m.earned_to - 29) AND m.earned_to
  ) x
) e
WHERE k.account_id = $1 AND k.source = $2 AND m.machine_id = ANY ($3)
