-- The newest link to sign in that was mailed to an account. It is deleted when it is used. email: to which address it was sent.
CREATE TABLE sign_in_codes (
  account_id integer PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  email      text NOT NULL,
  code_hash  bytea NOT NULL CHECK (length(code_hash) = 32),
  expires_at timestamptz NOT NULL
);

-- Whether a browser got the key by such a link. Signing out lets it expire; revoked_at is set only when its holder revokes it.
ALTER TABLE api_keys ADD COLUMN by_mail boolean NOT NULL DEFAULT false;

-- As in 024. What was made in a browser goes on when that browser is signed out.
CREATE OR REPLACE VIEW market_keys AS
SELECT
  key_id,
  CASE WHEN ended IS NULL AND NOT sees_all AND NOT claims_first THEN 'The account has no active machine' ELSE ended END AS refusal,
  ended, sees_all, claimed
FROM (
  SELECT
    k.id AS key_id,
    CASE
      WHEN k.revoked_at IS NOT NULL OR NOT k.by_mail AND k.expires_at <= rackrate_now() THEN 'The API key that wrote it has ended'
      WHEN NOT k.permissions->'api' ? 'machine_read' OR a.kind = 'team' AND NOT EXISTS (
        SELECT FROM teams t
        LEFT JOIN team_members tm ON tm.team_id = t.account_id AND tm.user_id = k.created_by
        JOIN roles r ON CASE WHEN t.owner_id = k.created_by THEN r.team_id IS NULL AND r.name = 'owner' ELSE r.id = tm.role_id END
        WHERE t.account_id = a.id AND r.permissions->'api' ? 'machine_read'
      ) THEN 'The API key that wrote it may not read the market any more'
    END AS ended,
    a.is_admin OR EXISTS (SELECT FROM machines m WHERE m.account_id = a.id AND m.removed_at IS NULL AND m.online) AS sees_all,
    EXISTS (SELECT FROM claims c JOIN sources s ON s.name = c.source WHERE c.account_id = a.id AND s.is_first) AS claims_first,
    ARRAY (SELECT c.source FROM claims c WHERE c.account_id = a.id) AS claimed
  FROM api_keys k JOIN accounts a ON a.id = k.account_id
) AS keys;
