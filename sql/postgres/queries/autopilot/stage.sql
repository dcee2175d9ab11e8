-- Sets the stage of a rule, which begins or goes on with it. A dry run goes on where it was. $1 account, $2 rule, $3 stage, $4 person, $5 key
UPDATE autopilot_rules SET
  stage = $3, created_by = $4, key_id = $5, stop_reason = NULL, state = '{}', version = version + 1,
  dry_run_since = CASE $3 WHEN 'suggest' THEN NULL WHEN 'dry_run' THEN coalesce(dry_run_since, rackrate_now()) ELSE dry_run_since END
WHERE account_id = $1 AND id = $2
