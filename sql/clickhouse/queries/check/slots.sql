-- Slots of [from, to) whose entry in the ledger says anything else than the observations: another number of rows, a row twice, no rows, no entry,
-- or an entry that readers do not see. What is older than `since` is taken to have the observations that its entry says.
-- Parameters: from, to, since.
SELECT
  toUnixTimestamp(slot) AS slot, source, max(is_entered) AS is_entered, sum(entered) AS entered, max(ready) AS is_ready,
  sum(found) AS found, sum(distinct_rows) AS distinct_rows
FROM (
  SELECT
    slot, source, true AS is_entered, observations AS entered, ready,
    slot < toDateTime({since:UInt32}, 'UTC') ? observations : 0 AS found, found AS distinct_rows
  FROM slots FINAL
  WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  UNION ALL
  SELECT slot, source, false, 0, false, count(), uniqExact(machine_id, gpu_name, rented, price, rental_type)
  FROM observations
  WHERE slot >= toDateTime(greatest({from:UInt32}, {since:UInt32}), 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY slot, source
)
GROUP BY slot, source
HAVING entered != found OR found != distinct_rows OR found = 0 OR NOT is_ready
ORDER BY slot, source
