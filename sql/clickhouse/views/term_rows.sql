-- The rows of terms of the slots in [from, to) and of the market's next, from the observations. The terms of a machine at a slot
-- are compared with its terms at the slot before, regardless of the gap. A machine that is not on the market has none. With
-- another GPU name it is a new machine. Parameters: from, to UInt32 (unix seconds); since UInt32: observations from this time on
-- are all kept.
CREATE OR REPLACE VIEW /*!$database.*/term_rows/*!_local ON CLUSTER $cluster*/ AS
WITH {{slots_around}},
seen_texts AS (
  SELECT
    o.gpu_name AS gpu_name, o.machine_id AS machine_id, toString(o.terms) AS text,
    groupArray(transform(toUnixTimestamp(o.slot), slots, arrayEnumerate(slots), 0)) AS at
  FROM /*!$database.*/observations/*!_local*/ AS o
  WHERE o.slot >= toDateTime(slots[1], 'UTC') AND o.slot <= toDateTime(slots[-1], 'UTC') AND o.terms != ''
  GROUP BY gpu_name, machine_id, text
)
SELECT
  toDateTime(slots[change.1], 'UTC') AS slot,
  gpu_name,
  machine_id,
  {{term_columns}}
FROM (
  SELECT gpu_name, machine_id, change, JSONExtract(change.2, {{term_types}}) AS found
  FROM (
    {{changed_texts}}
  )
)
WHERE slots[change.1] >= {from:UInt32}
