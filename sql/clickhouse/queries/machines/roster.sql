-- Every machine that was seen behind a time, up to another one, as it was when it was seen last. A host that is not known is 0.
-- Parameters: from, to (unix seconds).
SELECT
  id, last_slot, last.1 AS host, last.2 AS gpu_name, last.3 AS num_gpus, last.4 AS verified, last.5 AS hosting_type, last.6 AS gpu_memory
FROM (
  SELECT
    machine_id AS id, toUnixTimestamp(max(seen.slot)) AS last_slot,
    argMax((toUInt64(ifNull(host_id, 0)), gpu_name, num_gpus, verified, toString(hosting_type), gpu_memory), seen.slot) AS last
  FROM observations AS seen
  WHERE seen.slot > toDateTime({from:UInt32}, 'UTC') AND seen.slot <= toDateTime({to:UInt32}, 'UTC')
  GROUP BY machine_id
)
