-- Which machines of a source an account says are its own: by their hosts and by their ids there. Nobody has checked it, so several accounts may
-- claim the same machines: what they see is public. An id that is not claimed any more is not kept.
CREATE TABLE claims (
  account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
  source     text NOT NULL REFERENCES sources ON UPDATE CASCADE ON DELETE CASCADE,
  hosts      bigint[] NOT NULL,
  machines   bigint[] NOT NULL,
  PRIMARY KEY (account_id, source),
  CHECK (cardinality(hosts) + cardinality(machines) > 0)
);
CREATE INDEX claims_source ON claims (source);

-- As machine_costs, of machines of a source. What was entered for all machines of an account before holds for its machines of each source.
CREATE TABLE source_costs (
  account_id      integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
  source          text NOT NULL REFERENCES sources ON UPDATE CASCADE ON DELETE CASCADE,
  machine_id      bigint,                                                  -- NULL: all machines of the account in this source
  kwh_price       numeric CHECK (kwh_price >= 0),                          -- USD
  watts_idle      numeric CHECK (watts_idle >= 0),                         -- of the whole machine, with no GPU rented
  watts_load      numeric CHECK (watts_load >= watts_idle),                -- with all of them rented
  fee_percent     numeric CHECK (fee_percent >= 0 AND fee_percent < 100),  -- of what renters pay
  other_per_month numeric CHECK (other_per_month >= 0),                    -- USD
  purchase_price  numeric CHECK (purchase_price >= 0),                     -- USD
  months          numeric CHECK (months > 0),                              -- how long it is used
  CHECK ((watts_idle IS NULL) = (watts_load IS NULL)),
  UNIQUE NULLS NOT DISTINCT (account_id, source, machine_id)
);
CREATE INDEX source_costs_source ON source_costs (source);
INSERT INTO source_costs
SELECT
  c.account_id, s.name, NULL, c.kwh_price, c.watts_idle, c.watts_load, c.fee_percent, c.other_per_month, c.purchase_price, c.months
FROM machine_costs c CROSS JOIN sources s
WHERE c.machine_id IS NULL;

-- The market that a rule watches. NULL: the first one.
ALTER TABLE alert_rules ADD COLUMN source text REFERENCES sources ON UPDATE CASCADE ON DELETE CASCADE;
CREATE INDEX alert_rules_source ON alert_rules (source);

-- Of the markets of other sources the progress is named `market asia` and `clock asia`.
ALTER TABLE alert_progress DROP CONSTRAINT alert_progress_what_check;

-- As in 022. A claim counts as an active machine in the market of its source: `refusal` is about the first market. Of another source: `ended`, or
-- else neither `sees_all` nor the source among `claimed`.
CREATE OR REPLACE VIEW market_keys AS
SELECT
  key_id,
  CASE WHEN ended IS NULL AND NOT sees_all AND NOT claims_first THEN 'The account has no active machine' ELSE ended END AS refusal,
  ended, sees_all, claimed
FROM (
  SELECT
    k.id AS key_id,
    CASE
      WHEN k.revoked_at IS NOT NULL OR k.expires_at <= rackrate_now() THEN 'The API key that wrote it has ended'
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

-- Why what a key wrote must not speak of a market now. NULL: it may. `source`: whose market; NULL: the first one. Its other arguments are columns of
-- market_keys: the planner puts the body in its place, and evaluates only what it needs.
CREATE FUNCTION market_refusal(source text, refusal text, ended text, sees_all boolean, claimed text[])
RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE
  WHEN source IS NULL THEN refusal
  ELSE coalesce(ended, CASE WHEN NOT sees_all AND source <> ALL (claimed) THEN 'The account claims no machines of this source' END)
END;
