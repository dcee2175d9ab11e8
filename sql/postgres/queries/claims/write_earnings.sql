-- Notes what a machine earned on each of some complete days; a day without a row earned nothing. $1 the key's id, $2 machine, $3 the first day,
-- $4 the last day, $5 rows with `day`, `gpu`, `storage`, `traffic`, JSON
WITH given AS (
  SELECT day, sum(gpu) AS gpu, sum(storage) AS storage, sum(traffic) AS traffic
  FROM json_to_recordset($5::json) AS e (day integer, gpu numeric, storage numeric, traffic numeric)
  GROUP BY day
),
gone AS (
  DELETE FROM claim_earnings
  WHERE key_id = $1 AND machine_id = $2 AND day BETWEEN $3 AND $4 AND day NOT IN (SELECT day FROM given)
),
noted AS (
  UPDATE claim_machines
  SET
    -- Days that were never read lie before, when it was not read for longer than an answer reaches back.
    earned_from = CASE WHEN earned_to >= $3 - 1 THEN least(earned_from, $3) ELSE $3 END,
    earned_to = $4, earned_read_at = rackrate_now(), earned_ask_after = rackrate_now() + interval '1 hour'
  WHERE key_id = $1 AND machine_id = $2
),
cleared AS (UPDATE claim_keys SET earnings_problem = NULL WHERE id = $1 AND earnings_problem IS NOT NULL)
INSERT INTO claim_earnings (key_id, machine_id, day, gpu, storage, traffic)
SELECT $1, $2, day, gpu, storage, traffic FROM given
ON CONFLICT (key_id, machine_id, day) DO UPDATE
SET gpu = excluded.gpu, storage = excluded.storage, traffic = excluded.traffic
