-- Why an account must not set the price of a machine of a market (NULL: the first one) now. NULL: it may. Every decision asks this, and so does the
-- last step before a call. In the site's own market the machine must be one of the account. In the market of a source, the marketplace must
-- show it to the key of the account's claim.
CREATE FUNCTION price_refusal(account integer, market text, machine bigint) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN (
  SELECT CASE
    WHEN s.name IS NULL AND market IS NOT NULL THEN 'This site does not have the market any more'
    WHEN s.name IS NULL THEN CASE
      WHEN NOT EXISTS (SELECT FROM machines m WHERE m.id = machine AND m.account_id = account AND m.removed_at IS NULL)
        THEN format('Machine %s is not one of the account''s machines', machine)
    END
    WHEN k.id IS NULL
      THEN format('The claim on %s is not proven, and prices are set for proven claims only: give the claim your key of the marketplace', s.name)
    WHEN k.is_refused THEN format('The marketplace refuses the key of the claim on %s, so the claim is not proven now', s.name)
    WHEN NOT EXISTS (SELECT FROM claim_machines c WHERE c.key_id = k.id AND c.machine_id = machine AND c.is_shown)
      THEN format('The marketplace does not show machine %s to the key of the claim', machine)
  END
  FROM (SELECT) AS one
  LEFT JOIN sources s ON CASE WHEN market IS NULL THEN s.is_first ELSE s.name = market END
  LEFT JOIN claim_keys k ON k.account_id = account AND k.source = s.name
);

-- A decision of one account on a machine holds up no other account.
DROP INDEX autopilot_decisions_open;
CREATE UNIQUE INDEX autopilot_decisions_open ON autopilot_decisions (account_id, coalesce(source, ''), machine_id)
  WHERE state IN ('decided', 'called', 'answered');
