-- The rows of terms of the slots in [from, to) and of the market's next, from the observations. The terms of a machine at a slot are compared with
-- those at the slot before, however long ago that is. A machine that is not there has none. With another GPU name it is a new machine.
-- Parameters: from, to UInt32 (unix seconds); since UInt32: observations from this time on are all kept.
CREATE OR REPLACE VIEW /*!$database.*/term_rows/*!_local ON CLUSTER $cluster*/ AS
WITH (
  -- The slot before the range, those in it, and the next one. Numbers are compared, as in flow_rows.sql.
  SELECT arrayFilter(s -> s > 0, arraySort(groupUniqArrayIf(
      toUnixTimestamp(l.slot), toUnixTimestamp(l.slot) >= {from:UInt32} AND toUnixTimestamp(l.slot) < {to:UInt32}
    ) || [
      maxIf(toUnixTimestamp(l.slot), toUnixTimestamp(l.slot) >= {since:UInt32} AND toUnixTimestamp(l.slot) < {from:UInt32}),
      minIf(toUnixTimestamp(l.slot), toUnixTimestamp(l.slot) >= {to:UInt32})
    ]))
  FROM /*!$database.*/slots AS l
) AS slots
SELECT
  toDateTime(slots[changed], 'UTC') AS slot,
  gpu_name,
  machine_id,
  found.1 AS min_bid,
  toDateTime(found.2, 'UTC') AS end_date,
  found.3 AS credit_discount_max,
  found.4 AS reliability,
  found.5 AS storage_cost,
  found.6 AS inet_up_cost,
  found.7 AS inet_down_cost
FROM (
  SELECT
    gpu_name, machine_id, changed,
    JSONExtract(
      has,
      'Tuple(Nullable(Decimal(18, 9)), Nullable(UInt32), Nullable(Decimal(18, 9)), Nullable(Decimal(18, 9)), Nullable(Decimal(18, 9)), Nullable(Decimal(18, 9)), Nullable(Decimal(18, 9)))'
    ) AS found
  FROM (
    SELECT
      gpu_name, machine_id, place, text,
      lagInFrame(place, 1, 0) OVER w AS place_before,
      lagInFrame(text, 1, '') OVER w AS text_before,
      leadInFrame(place, 1, 0) OVER w AS place_after
    FROM (
      SELECT o.gpu_name AS gpu_name, o.machine_id AS machine_id, indexOf(slots, toUnixTimestamp(o.slot)) AS place, max(toString(o.terms)) AS text
      FROM /*!$database.*/observations/*!_local*/ AS o
      WHERE o.slot >= toDateTime(slots[1], 'UTC') AND o.slot <= toDateTime(slots[-1], 'UTC') AND o.terms != ''
      GROUP BY gpu_name, machine_id, place
    )
    WINDOW w AS (PARTITION BY gpu_name, machine_id ORDER BY place ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)
  )
  -- What it has from here on, and that it has none where it is not at the next slot.
  ARRAY JOIN
    [
      if(place_before = place - 1 AND place > 1 AND text_before = text, 0, place),
      if(place_after = place + 1 OR place = length(slots), 0, place + 1)
    ] AS changed,
    [text, ''] AS has
  WHERE place > 0 AND changed > 0
)
WHERE slots[changed] >= {from:UInt32}
