-- Changes a rule of an account, which only suggests then: its dry run was of another rule. $1 account, $2 person, $3 key, $4 source, $5 name, $6 machine,
-- $7 GPU name, $8 target and rails (JSON), $9 address of the webhook, $10 its secret (sealed; null: as it was), $11 mail, $12 rule
UPDATE autopilot_rules SET
  created_by = $2, key_id = $3, source = $4, name = $5, machine_id = $6, gpu_name = $7, settings = $8, webhook_url = $9, email = $11,
  webhook_secret_sealed = CASE WHEN $9::text IS NOT NULL THEN coalesce($10, webhook_secret_sealed) END,
  stage = 'suggest', dry_run_since = NULL, stop_reason = NULL, state = '{}', version = version + 1
WHERE account_id = $1 AND id = $12
