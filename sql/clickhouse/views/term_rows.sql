-- The rows of terms of the slots in [from, to) and of the market's next, from the observations. The terms of a machine at a slot
-- are compared with its terms at the slot before, regardless of the gap. A machine that is not on the market has none. With
-- another GPU name it is a new machine. Parameters: from, to UInt32 (unix seconds); since UInt32: observations from this time on
-- are all kept.
CREATE OR REPLACE VIEW /*!$database.*/term_rows/*!_local ON CLUSTER $cluster*/ AS
WITH (
  -- The slot before the range, the slots in it, and the next one. Numbers are compared, as in flow_rows.sql.
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
    gpu_name, machine_id, change.1 AS changed,
    JSONExtract(
      change.2,
      'Tuple(Nullable(Decimal(18, 9)), Nullable(UInt32), Nullable(Decimal(18, 9)), Nullable(Decimal(18, 9)), Nullable(Decimal(18, 9)), Nullable(Decimal(18, 9)), Nullable(Decimal(18, 9)))'
    ) AS found
  FROM (
    -- A state is a number: its place among the slots times 2^32, plus the number of its text. If a place has several texts, the
    -- last one counts.
    SELECT
      gpu_name, machine_id, texts,
      arraySort(arrayFlatten(arrayMap((number, at) -> arrayMap(place -> bitShiftLeft(toUInt64(place), 32) + number, at), arrayEnumerate(texts), places))) AS seen,
      arrayFilter((one, next) -> bitShiftRight(one, 32) > 0 AND bitShiftRight(one, 32) != bitShiftRight(next, 32), seen, arrayPopFront(arrayPushBack(seen, 0))) AS states
    FROM (
      SELECT gpu_name, machine_id, arraySort(groupArray((text, at))) AS lists, lists.1 AS texts, lists.2 AS places
      FROM (
        SELECT
          o.gpu_name AS gpu_name, o.machine_id AS machine_id, toString(o.terms) AS text,
          groupArray(transform(toUnixTimestamp(o.slot), slots, arrayEnumerate(slots), 0)) AS at
        FROM /*!$database.*/observations/*!_local*/ AS o
        WHERE o.slot >= toDateTime(slots[1], 'UTC') AND o.slot <= toDateTime(slots[-1], 'UTC') AND o.terms != ''
        GROUP BY gpu_name, machine_id, text
      )
      GROUP BY gpu_name, machine_id
    )
  )
  -- The terms from here on, and an empty state where the machine is not at the next slot.
  ARRAY JOIN arrayConcat(
    arrayMap(
      state -> (bitShiftRight(state, 32), texts[bitAnd(state, 4294967295)]),
      arrayFilter((state, before) -> state != before + 4294967296, states, arrayPopBack(arrayPushFront(states, 0)))
    ),
    arrayMap(
      state -> (bitShiftRight(state, 32) + 1, ''),
      arrayFilter(
        (state, after) -> bitShiftRight(after, 32) != bitShiftRight(state, 32) + 1 AND bitShiftRight(state, 32) != length(slots),
        states, arrayPopFront(arrayPushBack(states, 0))
      )
    )
  ) AS change
)
WHERE slots[changed] >= {from:UInt32}
