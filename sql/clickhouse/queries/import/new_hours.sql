-- Those staged rows of [from, to) that the series doesn't have, hour by hour. Rows that repeat each other count each.
-- Parameters: table, source, overlapping, from, to (as of import_new.sql).
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, count() AS observations
FROM {table:Identifier}
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  AND (slot, machine_id, gpu_name, rented, if({overlapping:Bool} AND NOT rented, 0, price)) NOT IN (
    SELECT slot, machine_id, gpu_name, rented, if({overlapping:Bool} AND NOT rented, 0, price)
    FROM observations
    WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      AND (slot, machine_id, gpu_name) /*!GLOBAL*/ IN (
        SELECT slot, machine_id, gpu_name
        FROM {table:Identifier}
        WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      )
  )
GROUP BY hour
ORDER BY hour
