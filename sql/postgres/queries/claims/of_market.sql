-- The source of a market, and what some accounts claim of it, with the machines that their keys show; null: none of them claims anything. No row:
-- the market is that of the site itself. $1 the name of the source; null: the first, $2 accounts
SELECT
  s.name AS source, c.account_id, to_json(c.hosts) AS hosts, to_json(c.machines) AS machines,
  ARRAY (
    SELECT m.machine_id::float8 FROM claim_keys k JOIN claim_machines m ON m.key_id = k.id AND m.is_shown
    WHERE k.account_id = c.account_id AND k.source = c.source
  ) AS shown
FROM sources s LEFT JOIN claims c ON c.source = s.name AND c.account_id = ANY ($2)
WHERE CASE WHEN $1::text IS NULL THEN s.is_first ELSE s.name = $1 END
