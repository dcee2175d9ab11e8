-- Whether the prices of a bucket come from too few machines (fewer than 5) or hosts (fewer than 3) to say much, by GPU name. A machine whose
-- host is not known counts as a host of its own.
-- Parameters: names Array(String), the filters, step, from, to (on the step).
SELECT
  gpu_name,
  intDiv(toUnixTimestamp(slot), {step:UInt32}) * {step:UInt32} AS start,
  countIf(rented) > 0 AS any_rented,
  countIf(NOT rented) > 0 AS any_avail,
  uniqUpToIf(4)(machine_id, rented) < 5 OR uniqUpToIf(2)({{host_of_machine}}, rented) < 3 AS rented_thin,
  uniqUpToIf(4)(machine_id, NOT rented) < 5 OR uniqUpToIf(2)({{host_of_machine}}, NOT rented) < 3 AS avail_thin
FROM observations
WHERE gpu_name IN {names:Array(String)}
  AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  AND {{filter_machines}}
GROUP BY gpu_name, start
