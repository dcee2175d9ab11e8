-- The key of a claim to which the marketplace shows a machine, and does not refuse. $1 account, $2 machine, $3 source (NULL: the first one)
SELECT k.id, k.account_id, k.source, k.key_sealed, k.place
FROM claim_keys k
JOIN sources s ON s.name = k.source
JOIN claim_machines m ON m.key_id = k.id
WHERE k.account_id = $1 AND m.machine_id = $2 AND m.is_shown AND NOT k.is_refused
  AND CASE WHEN $3::text IS NULL THEN s.is_first ELSE s.name = $3 END
