-- Slots of [from, to) whose entry in the ledger disagrees with the observations: another number of rows, a row twice, or no entry.
-- Parameters: from, to.
SELECT toUnixTimestamp(slot) AS slot, source, sum(entered) AS entered, sum(found) AS found, sum(distinct_rows) AS distinct_rows
FROM (
  SELECT slot, source, observations AS entered, 0 AS found, 0 AS distinct_rows
  FROM slots FINAL
  WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  UNION ALL
  SELECT slot, source, 0, count(), uniqExact(machine_id, gpu_name, rented, price, rental_type)
  FROM observations
  WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY slot, source
)
GROUP BY slot, source
HAVING entered != found OR found != distinct_rows
ORDER BY slot, source
