-- Changes a confirmed 2FA method. Only one is the primary one. $1 account, $2 method, $3 label (null: as it was), $4 primary (null: as it was)
UPDATE tfa_methods SET
  label = CASE WHEN id = $2 THEN coalesce($3, label) ELSE label END,
  is_primary = CASE WHEN id = $2 THEN coalesce($4, is_primary) ELSE is_primary AND NOT coalesce($4, false) END
WHERE account_id = $1 AND confirmed_at IS NOT NULL AND deleted_at IS NULL
