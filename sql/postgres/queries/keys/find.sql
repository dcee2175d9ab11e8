-- Who stands behind the public prefix of a key, and what they may do now. $1 prefix
-- A key for a call of a scheduled job counts as the key that wrote the job, and is dead when that one is.
-- role_permissions: of the person's present role when the key acts for a team; the team's owner has the role `owner`.
SELECT
  coalesce(k.stands_for, k.id) AS key_id, k.hash, k.expires_at, k.account_id, k.created_by, k.permissions, a.kind, a.is_admin,
  a.is_host OR EXISTS (SELECT FROM machines m WHERE m.account_id = a.id AND m.removed_at IS NULL) AS is_host,
  EXISTS (SELECT FROM machines m WHERE m.account_id = a.id AND m.removed_at IS NULL AND m.online) AS has_active_machine,
  ARRAY (SELECT c.source FROM claims c WHERE c.account_id = a.id ORDER BY 1) AS claimed_sources,
  EXISTS (SELECT FROM claims c JOIN sources s ON s.name = c.source WHERE c.account_id = a.id AND s.is_first) AS claims_first,
  EXISTS (
    SELECT FROM api_keys d WHERE d.id IN (k.id, k.stands_for) AND (d.revoked_at IS NOT NULL OR d.expires_at <= rackrate_now())
  ) AS is_dead,
  r.name AS role_name, r.permissions AS role_permissions
FROM api_keys k
JOIN accounts a ON a.id = k.account_id
LEFT JOIN teams t ON t.account_id = a.id
LEFT JOIN team_members tm ON tm.team_id = t.account_id AND tm.user_id = k.created_by
LEFT JOIN roles r ON CASE WHEN t.owner_id = k.created_by THEN r.team_id IS NULL AND r.name = 'owner' ELSE r.id = tm.role_id END
WHERE k.prefix = $1
