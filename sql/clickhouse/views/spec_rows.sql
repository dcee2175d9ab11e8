-- The rows of specs of the slots in [from, to) and of the market's next, from the observations. The specs of a machine at a slot
-- are compared with its specs at the slot before, regardless of the gap. A machine that is not on the market has none. With
-- another GPU name it is a new machine. Parameters: from, to UInt32 (unix seconds); since UInt32: observations from this time on
-- are all kept.
CREATE OR REPLACE VIEW /*!$database.*/spec_rows/*!_local ON CLUSTER $cluster*/ AS
WITH {{slots_around}},
seen_texts AS (
  SELECT
    o.gpu_name AS gpu_name, o.machine_id AS machine_id, toString(o.specs) AS text,
    groupArray(transform(toUnixTimestamp(o.slot), slots, arrayEnumerate(slots), 0)) AS at
  FROM /*!$database.*/observations/*!_local*/ AS o
  WHERE o.slot >= toDateTime(slots[1], 'UTC') AND o.slot <= toDateTime(slots[-1], 'UTC') AND o.specs != ''
  GROUP BY gpu_name, machine_id, text
)
SELECT
  toDateTime(slots[change.1], 'UTC') AS slot,
  gpu_name,
  machine_id,
  found.1 AS inet_up,
  found.2 AS inet_down,
  found.3 AS disk_bw,
  found.4 AS disk_space,
  found.5 AS cpu_name,
  found.6 AS cpu_cores_effective,
  found.7 AS cpu_ram,
  found.8 AS pcie_bw,
  found.9 AS gpu_mem_bw,
  found.10 AS driver_version,
  found.11 AS cuda_max_good,
  found.12 AS direct_port_count,
  found.13 AS static_ip,
  found.14 AS score
FROM (
  SELECT gpu_name, machine_id, change, JSONExtract(change.2, {{spec_types}}) AS found
  FROM (
    {{changed_texts}}
  )
)
WHERE slots[change.1] >= {from:UInt32}
