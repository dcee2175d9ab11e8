-- name: assign_role
-- Assigns a role to a member that has none; the owner has one. $1 team, $2 user, $3 role
WITH assigned AS (
  UPDATE team_members SET role_id = $3 WHERE team_id = $1 AND user_id = $2 AND role_id IS NULL
    AND NOT EXISTS (SELECT FROM teams WHERE account_id = $1 AND owner_id = $2)
  RETURNING user_id
)
SELECT
  EXISTS (SELECT FROM team_members WHERE team_id = $1 AND user_id = $2)
    OR EXISTS (SELECT FROM teams WHERE account_id = $1 AND owner_id = $2) AS is_member,
  EXISTS (SELECT FROM assigned) AS done

-- name: change_member_role
-- Gives a member another role. $1 team, $2 user, $3 role
UPDATE team_members SET role_id = $3
WHERE team_id = $1 AND user_id = $2

-- name: change_role
-- Changes a role of a team, unless another of its roles has the name. $1 team, $2 role, $3 name, $4 permissions
UPDATE roles SET name = $3, permissions = $4
WHERE id = $2 AND team_id = $1 AND NOT EXISTS (SELECT FROM roles o WHERE o.team_id = $1 AND o.name = $3 AND o.id <> $2)

-- name: create
-- The team of this name that a person owns, created if there is none. No row: the person owns too many. The person's account is
-- locked. $1 person, $2 name, $3 the most teams of a person
WITH owned AS (SELECT a.id, a.name FROM teams t JOIN accounts a ON a.id = t.account_id WHERE t.owner_id = $1),
created AS (
  INSERT INTO accounts (kind, name)
  SELECT 'team', $2 WHERE NOT EXISTS (SELECT FROM owned WHERE name = $2) AND (SELECT count(*) FROM owned) < $3
  RETURNING id
),
entered AS (INSERT INTO teams (account_id, owner_id) SELECT id, $1 FROM created)
SELECT id FROM owned WHERE name = $2 UNION ALL SELECT id FROM created LIMIT 1

-- name: create_role
-- Creates a role of a team. id is null when the team has a role of this name or too many roles. $1 team, $2 name, $3 permissions,
-- $4 the most roles of a team
WITH counted AS (SELECT count(*) >= $4 AS too_many FROM roles WHERE team_id = $1),
created AS (
  INSERT INTO roles (team_id, name, permissions) SELECT $1, $2, $3 FROM counted WHERE NOT too_many
  ON CONFLICT DO NOTHING
  RETURNING id
)
SELECT (SELECT id FROM created) AS id, too_many FROM counted

-- name: delete
-- Deletes a team that neither rents nor hosts anything: its members, roles, invitations, keys, jobs, rules, shared charts and
-- secrets. The account of the team stays, because ended contracts refer to it. The account is locked. $1 team
WITH usage AS (
  SELECT EXISTS (SELECT FROM machines WHERE account_id = $1 AND removed_at IS NULL)
    OR EXISTS (SELECT FROM contracts WHERE account_id = $1 AND ended_at IS NULL AND (ends_at IS NULL OR ends_at > rackrate_now()))
    OR EXISTS (SELECT FROM volume_contracts WHERE account_id = $1 AND ended_at IS NULL AND ends_at > rackrate_now()) AS is_used
),
deleted AS (
  DELETE FROM teams WHERE account_id = $1 AND NOT (SELECT is_used FROM usage)
  RETURNING account_id AS id
),
keys AS (
  UPDATE api_keys SET revoked_at = rackrate_now() WHERE account_id IN (SELECT id FROM deleted) AND revoked_at IS NULL
),
jobs AS (
  UPDATE scheduled_jobs SET deleted_at = rackrate_now(), next_run_at = NULL
  WHERE account_id IN (SELECT id FROM deleted) AND deleted_at IS NULL
),
alerts AS (
  DELETE FROM alert_rules WHERE account_id IN (SELECT id FROM deleted)
),
prices AS (
  DELETE FROM autopilot_rules WHERE account_id IN (SELECT id FROM deleted)
),
feeds AS (
  DELETE FROM alert_accounts WHERE account_id IN (SELECT id FROM deleted)
),
shares AS (
  DELETE FROM shared_charts WHERE account_id IN (SELECT id FROM deleted)
),
ssh AS (
  UPDATE ssh_keys SET deleted_at = rackrate_now() WHERE account_id IN (SELECT id FROM deleted) AND deleted_at IS NULL
),
connections AS (
  UPDATE cloud_connections SET deleted_at = rackrate_now(), credentials_sealed = ''
  WHERE account_id IN (SELECT id FROM deleted) AND deleted_at IS NULL
),
tasks AS (
  UPDATE host_tasks SET dead_at = rackrate_now(), credentials_sealed = NULL, log_held = ''
  WHERE account_id IN (SELECT id FROM deleted) AND finished_at IS NULL AND dead_at IS NULL
),
library AS (
  UPDATE template_library SET deleted_at = rackrate_now(), is_referral = false
  WHERE account_id IN (SELECT id FROM deleted) AND deleted_at IS NULL
)
SELECT is_used FROM usage

-- name: delete_role
-- Deletes a role of a team. Members who have it keep their membership without a role. $1 team, $2 role
WITH freed AS (
  UPDATE team_members SET role_id = NULL WHERE team_id = $1 AND role_id = $2
)
DELETE FROM roles WHERE id = $2 AND team_id = $1

-- name: invitations
-- The open invitations of a team, oldest first. $1 team
SELECT
  email, (SELECT name FROM roles WHERE id = role_id) AS role, extract(epoch FROM created_at)::float8 AS created_at,
  extract(epoch FROM created_at + interval '7 days')::float8 AS expires_at
FROM team_invitations
WHERE team_id = $1 AND created_at > rackrate_now() - interval '7 days'
ORDER BY created_at, email

-- name: invite
-- Invites an address to a team. No row: it is invited already or too many are. Expired invitations are deleted. The team's
-- account is locked. $1 team, $2 address (lower case), $3 the most open invitations of a team, $4 role that the person gets by
-- joining (null: none)
WITH expired AS (
  DELETE FROM team_invitations WHERE team_id = $1 AND created_at <= rackrate_now() - interval '7 days' AND email <> $2
),
waiting AS (
  SELECT count(*) AS n, coalesce(bool_or(email = $2), false) AS is_known FROM team_invitations
  WHERE team_id = $1 AND created_at > rackrate_now() - interval '7 days'
),
membership AS (
  SELECT EXISTS (
    SELECT FROM accounts a
    WHERE lower(a.email) = $2 AND a.email_verified AND (
      EXISTS (SELECT FROM team_members WHERE team_id = $1 AND user_id = a.id)
      OR EXISTS (SELECT FROM teams WHERE account_id = $1 AND owner_id = a.id)
    )
  ) AS is_member
),
invited AS (
  INSERT INTO team_invitations (team_id, email, role_id) SELECT $1, $2, $4::int FROM waiting, membership
  WHERE NOT is_known AND n < $3 AND NOT is_member
  ON CONFLICT (team_id, email) DO UPDATE SET created_at = rackrate_now(), role_id = excluded.role_id
  RETURNING email
)
SELECT
  (SELECT name FROM accounts WHERE id = $1) AS name,
  EXISTS (SELECT FROM invited) AS invited,
  NOT is_known AND n >= $3 AS too_many,
  is_member
FROM waiting, membership

-- name: join
-- Adds a person to a team that has invited the person's verified address. Keys of an earlier membership stay invalid. Returns a
-- row if the person is now a member. $1 team, $2 person
WITH invited AS (
  DELETE FROM team_invitations i USING accounts a
  WHERE i.team_id = $1 AND a.id = $2 AND a.email_verified AND i.email = lower(a.email) AND i.created_at > rackrate_now() - interval '7 days'
  RETURNING i.team_id, i.role_id
),
joined AS (
  INSERT INTO team_members (team_id, user_id, role_id) SELECT team_id, $2, role_id FROM invited
  WHERE NOT EXISTS (SELECT FROM teams WHERE account_id = $1 AND owner_id = $2)
  ON CONFLICT DO NOTHING
  RETURNING user_id
),
revoked AS (
  UPDATE api_keys SET revoked_at = rackrate_now()
  WHERE account_id = $1 AND created_by IN (SELECT user_id FROM joined) AND revoked_at IS NULL
)
SELECT EXISTS (SELECT FROM invited) OR EXISTS (SELECT FROM team_members WHERE team_id = $1 AND user_id = $2) AS is_member

-- name: list
-- The teams that a person owns or belongs to, oldest first. $1 person
SELECT
  a.id, a.name AS team_name, CASE WHEN t.owner_id = $1 THEN 'owner' ELSE r.name END AS role,
  extract(epoch FROM a.created_at)::float8 AS created_at
FROM teams t
JOIN accounts a ON a.id = t.account_id
LEFT JOIN team_members m ON m.team_id = t.account_id AND m.user_id = $1
LEFT JOIN roles r ON r.id = m.role_id
WHERE t.owner_id = $1 OR m.user_id IS NOT NULL
ORDER BY a.id

-- name: member
-- A member of a team and the member's role, which may be none. No row: not a member. $1 team, $2 user
SELECT t.owner_id = $2 AS is_owner, r.id AS role_id, r.permissions
FROM teams t
LEFT JOIN team_members m ON m.team_id = t.account_id AND m.user_id = $2
LEFT JOIN roles r ON r.id = m.role_id
WHERE t.account_id = $1 AND (t.owner_id = $2 OR m.user_id IS NOT NULL)

-- name: members
-- The members of a team: the owner first, then in the order they joined. $1 team, $2 and $3 id and time of the last member of the
-- page before (or null; time 0: the owner), $4 the most members
SELECT a.id, a.name AS username, a.email, p.role, array_remove(ARRAY[p.role], NULL) AS roles, extract(epoch FROM p.joined_at)::float8 AS joined_at
FROM (
  SELECT t.owner_id AS user_id, 'owner' AS role, a.created_at AS joined_at
  FROM teams t JOIN accounts a ON a.id = t.account_id
  WHERE t.account_id = $1
  UNION ALL
  SELECT m.user_id, r.name, m.joined_at
  FROM team_members m LEFT JOIN roles r ON r.id = m.role_id
  WHERE m.team_id = $1 AND m.user_id <> (SELECT owner_id FROM teams WHERE account_id = $1)
) p JOIN accounts a ON a.id = p.user_id
WHERE $2::int IS NULL OR (p.role IS DISTINCT FROM 'owner' AND (extract(epoch FROM p.joined_at)::float8, a.id) > ($3::float8, $2))
ORDER BY p.role IS NOT DISTINCT FROM 'owner' DESC, p.joined_at, a.id
LIMIT $4

-- name: of_person
-- A team that the person owns or has a role in; no row if it is neither. $1 team, $2 person
SELECT t.account_id AS id
FROM teams t LEFT JOIN team_members m ON m.team_id = t.account_id AND m.user_id = $2 AND m.role_id IS NOT NULL
WHERE t.account_id = $1 AND (t.owner_id = $2 OR m.user_id IS NOT NULL)

-- name: own_role
-- A role that a team can have, by id or by name. is_callers: the role of a person in the team. $1 team, $2 id or null, $3 name or null,
-- $4 person
SELECT
  id, name, permissions, team_id IS NULL AS is_built_in,
  EXISTS (SELECT FROM team_members m WHERE m.team_id = $1 AND m.user_id = $4 AND m.role_id = roles.id) AS is_callers
FROM roles
WHERE (team_id = $1 OR team_id IS NULL) AND id = coalesce($2, id) AND name = coalesce($3, name)
ORDER BY team_id NULLS LAST

-- name: remove_member
-- Removes a member from a team, ends the member's keys for it and stops the jobs that the member wrote for it. $1 team, $2 user
WITH removed AS (
  DELETE FROM team_members
  WHERE team_id = $1 AND user_id = $2 AND NOT EXISTS (SELECT FROM teams WHERE account_id = $1 AND owner_id = $2)
  RETURNING user_id
),
keys AS (
  UPDATE api_keys SET revoked_at = rackrate_now()
  WHERE account_id = $1 AND created_by IN (SELECT user_id FROM removed) AND revoked_at IS NULL
),
jobs AS (
  UPDATE scheduled_jobs SET next_run_at = NULL, status = 'COMPLETED', stop_reason = 'The person who wrote this job left the team'
  WHERE account_id = $1 AND created_by IN (SELECT user_id FROM removed) AND next_run_at IS NOT NULL AND deleted_at IS NULL
)
SELECT user_id FROM removed

-- name: rename
-- Renames a team of an owner, unless another team of the owner has the name. The owner's account is locked. $1 team, $2 owner, $3 name
WITH owned AS (SELECT a.id, a.name FROM teams t JOIN accounts a ON a.id = t.account_id WHERE t.owner_id = $2),
renamed AS (
  UPDATE accounts SET name = $3
  WHERE id IN (SELECT id FROM owned WHERE id = $1) AND NOT EXISTS (SELECT FROM owned WHERE name = $3 AND id <> $1)
  RETURNING id
)
SELECT EXISTS (SELECT FROM owned WHERE id = $1) AS is_owner, EXISTS (SELECT FROM renamed) AS done

-- name: role
-- A role by name, as an account sees it: a built-in role, or a role of the team that the account is, owns or belongs to (its own
-- first). $1 name, $2 account, $3 holder of the key
SELECT r.id, r.name, r.permissions
FROM roles r
WHERE r.name = $1
  AND (
    r.team_id IS NULL
    OR r.team_id = $2
    OR EXISTS (SELECT FROM team_members m WHERE m.team_id = r.team_id AND m.user_id = $3 AND $2 = $3)
    OR EXISTS (SELECT FROM teams t WHERE t.account_id = r.team_id AND t.owner_id = $3 AND $2 = $3)
  )
ORDER BY r.team_id = $2 DESC NULLS LAST, r.team_id NULLS LAST, r.id
LIMIT 1

-- name: roles
-- The roles of a team: the built-in ones, then its own in the order they were created. $1 team
SELECT id, name, permissions, team_id IS NULL AS is_built_in FROM roles WHERE team_id IS NULL OR team_id = $1 ORDER BY team_id NULLS FIRST, id

-- name: transfer
-- Makes a manager of a team its owner, and the owner a manager. No row: there is no such manager, or the manager owns too many
-- teams. The team's account is locked. $1 team, $2 owner, $3 new owner, $4 the most teams of a person
WITH manager AS (SELECT id FROM roles WHERE team_id IS NULL AND name = 'manager'),
heir AS (
  DELETE FROM team_members
  WHERE team_id = $1 AND user_id = $3 AND role_id = (SELECT id FROM manager)
    AND (SELECT count(*) FROM teams WHERE owner_id = $3) < $4
  RETURNING user_id
),
kept AS (
  INSERT INTO team_members (team_id, user_id, role_id) SELECT $1, $2, manager.id FROM manager, heir
  ON CONFLICT (team_id, user_id) DO UPDATE SET role_id = excluded.role_id
)
UPDATE teams SET owner_id = heir.user_id FROM heir WHERE account_id = $1 AND owner_id = $2

-- name: withdraw
-- Withdraws an open invitation. $1 team, $2 address
DELETE FROM team_invitations
WHERE team_id = $1 AND email = lower($2) AND created_at > rackrate_now() - interval '7 days'
