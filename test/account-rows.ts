/** Statements that give an account ($1) a row in every table, with the text `Marker` wherever a row has a text of its holder. */
export const accountRows: readonly string[] = [
  `UPDATE accounts SET name = 'Marker', email = 'Marker@example.com', email_verified = true, phone = '+4915112345678', is_host = true WHERE id = $1`,
  `INSERT INTO sources (name, is_first) VALUES ('asia', false) ON CONFLICT DO NOTHING`,
  `WITH team AS (INSERT INTO accounts (kind, name) VALUES ('team', 'Others') RETURNING id),
     owner AS (INSERT INTO accounts (name) VALUES ('Owner') RETURNING id),
     entered AS (INSERT INTO teams (account_id, owner_id) SELECT team.id, owner.id FROM team, owner)
   SELECT FROM team`,
  `INSERT INTO team_members (team_id, user_id) SELECT account_id, $1 FROM teams WHERE owner_id <> $1 ORDER BY 1 DESC LIMIT 1`,
  `INSERT INTO team_invitations (team_id, email) SELECT account_id, 'marker@example.com' FROM teams WHERE owner_id <> $1 ORDER BY 1 LIMIT 1`,
  `INSERT INTO api_keys (account_id, created_by, name, prefix, hash, permissions) VALUES ($1, $1, 'Marker', 'prefix', sha256('a'), '{}')`,
  `INSERT INTO sign_in_codes VALUES ($1, 'marker@example.com', sha256('b'), rackrate_now())`,
  `INSERT INTO sign_in_short_codes VALUES (sha256('c'), $1, sha256('d'), 0, rackrate_now())`,
  `INSERT INTO idempotent_answers (api_key_id, operation, idempotency_key, body_hash) SELECT id, 'POST /', 'Marker', 'e' FROM api_keys WHERE name = 'Marker'`,
  `INSERT INTO machines (account_id, gpu_name, num_gpus, gpu_ram, disk_space, removed_at) VALUES ($1, 'L4', 1, 24000, 100, rackrate_now())`,
  `INSERT INTO gpu_listings (machine_id, price, ended_at) SELECT id, 1, rackrate_now() FROM machines WHERE account_id = $1`,
  `INSERT INTO contracts (machine_id, account_id, price, ended_at) SELECT id, $1, 1, rackrate_now() FROM machines WHERE account_id = $1`,
  'INSERT INTO gpu_holds SELECT machine_id, 0, id FROM contracts WHERE account_id = $1',
  `INSERT INTO volume_listings (machine_id, size, price_disk, end_date, ended_at)
   SELECT id, 5, 1, rackrate_now(), rackrate_now() FROM machines WHERE account_id = $1`,
  `INSERT INTO volume_contracts (listing_id, machine_id, account_id, size, price_disk, ends_at, ended_at)
   SELECT v.id, machine_id, $1, 5, 1, rackrate_now() + interval '1 day', rackrate_now()
   FROM volume_listings v JOIN machines m ON m.id = machine_id WHERE m.account_id = $1`,
  'INSERT INTO machine_costs (account_id, kwh_price) VALUES ($1, 0.3)',
  `INSERT INTO tfa_methods (account_id, kind, label, secret_sealed) VALUES ($1, 'totp', 'Marker', 'f')`,
  `INSERT INTO tfa_challenges (account_id, secret_hash, code_hash, expires_at) VALUES ($1, 'g', 'h', rackrate_now())`,
  `INSERT INTO tfa_authorizations (account_id, secret_hash, expires_at) VALUES ($1, 'i', rackrate_now())`,
  `INSERT INTO tfa_failures (account_id, method) VALUES ($1, 'email')`,
  `INSERT INTO backup_codes (account_id, code_hash) VALUES ($1, 'j')`,
  `INSERT INTO cloud_connections (account_id, name, provider, credentials_sealed) VALUES ($1, 'Marker', 's3', 'k')`,
  `INSERT INTO templates (creator_id, hash_id, content, docker_login_pass_sealed) VALUES ($1, 'one', '{"name": "Marker"}', 'l')`,
  'INSERT INTO template_library (account_id, template_id) SELECT $1, id FROM templates WHERE creator_id = $1',
  `INSERT INTO scheduled_jobs (account_id, created_by, api_endpoint, request_method, request_body_sealed, permissions, start_time, frequency, key_id)
   SELECT $1, $1, '/api/v0/ssh', 'GET', 'm', '{}', rackrate_now(), 'HOURLY', id FROM api_keys WHERE name = 'Marker'`,
  'INSERT INTO scheduled_job_runs (job_id, slot) SELECT id, rackrate_now() FROM scheduled_jobs WHERE account_id = $1',
  `INSERT INTO ssh_keys (account_id, public_key) VALUES ($1, 'ssh-ed25519 AAAA Marker')`,
  `INSERT INTO host_tasks (machine_id, account_id, connection_id, kind, payload, token_hash, token_sealed, content_hash, expires_at, log, log_held)
   SELECT m.id, $1, c.id, 'copy', '{"src": "Marker"}', 'n', 'o', 'p', rackrate_now(), 'Marker', 'held Marker'
   FROM machines m, cloud_connections c WHERE m.account_id = $1 AND c.account_id = $1`,
  `INSERT INTO outbox (channel, recipient, sealed, expires_at, kind, sender_id) VALUES ('email', 'Marker@example.com', 'q', rackrate_now(), 'code', NULL)`,
  `INSERT INTO claims (account_id, source, hosts, machines) VALUES ($1, 'asia', '{1}', '{}')`,
  `INSERT INTO source_costs (account_id, source, kwh_price) VALUES ($1, 'asia', 0.3)`,
  `INSERT INTO claim_keys (account_id, source, key_sealed, place) VALUES ($1, 'asia', 'r', 'a place')`,
  'INSERT INTO claim_machines (key_id, machine_id, is_shown, read_at) SELECT id, 7, true, rackrate_now() FROM claim_keys WHERE account_id = $1',
  'INSERT INTO claim_earnings SELECT id, 7, 20000, 1, 0, 0 FROM claim_keys WHERE account_id = $1',
  'INSERT INTO claim_shares SELECT id, 7, 1, 0.5 FROM claim_keys WHERE account_id = $1',
  `INSERT INTO sql_queries (id, account_id, query, format) VALUES (gen_random_uuid(), $1, 'SELECT 1', 'JSON')`,
  `INSERT INTO saved_queries (account_id, name, query) VALUES ($1, 'Marker', 'SELECT 1')`,
  `INSERT INTO sql_downloads SELECT sha256('s'), id, 'SELECT ''Marker''', '{}', 'CSV', rackrate_now() FROM api_keys WHERE name = 'Marker'`,
  `INSERT INTO dashboards (name, panels, updated_by) VALUES ('of the site', '[]', $1)`,
  `INSERT INTO alert_rules (account_id, created_by, name, condition, email, webhook_url, webhook_secret_sealed)
   VALUES ($1, $1, 'Marker', '{"kind": "data_age", "minutes": 30}', true, 'https://marker.example.com/', 't')`,
  `INSERT INTO alert_messages (rule_id, slot, entries) SELECT id, 300, '[]' FROM alert_rules WHERE account_id = $1`,
  `INSERT INTO alert_accounts (account_id, feed_hash) VALUES ($1, 'u')`,
  `INSERT INTO shared_charts (account_id, key_id, token_hash, chart) SELECT $1, id, 'v', '{}' FROM api_keys WHERE name = 'Marker'`,
  `INSERT INTO autopilot_rules (account_id, created_by, name, settings, email) VALUES ($1, $1, 'Marker', '{}', false)`,
  `INSERT INTO autopilot_decisions (account_id, rule_id, machine_id, gpu_name, num_gpus, slot, kind, stage, reason, figures, state, expires_at)
   SELECT $1, id, 7, 'L4', 1, 300, 'refusal', 'suggest', 'Marker', '{}', 'noted', rackrate_now() FROM autopilot_rules WHERE account_id = $1`,
  'INSERT INTO autopilot_accounts (account_id) VALUES ($1)',
  `INSERT INTO price_advice (account_id, machine_id, given_at, verdict, basis, price, advised, gain, gain_low, gain_high, before)
   VALUES ($1, 7, rackrate_now(), 'raise', 'gross', 1, 1.1, 1, 0.5, 2, 10)`,
]
