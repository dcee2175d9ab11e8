-- {{slots_around}}: the slots of a range, with the slot before it and the next one. Numbers are compared, as in views/flow_rows.sql. Parameters: since, from, to.
(
  SELECT arrayFilter(s -> s > 0, arraySort(groupUniqArrayIf(
      toUnixTimestamp(l.slot), toUnixTimestamp(l.slot) >= {from:UInt32} AND toUnixTimestamp(l.slot) < {to:UInt32}
    ) || [
      maxIf(toUnixTimestamp(l.slot), toUnixTimestamp(l.slot) >= {since:UInt32} AND toUnixTimestamp(l.slot) < {from:UInt32}),
      minIf(toUnixTimestamp(l.slot), toUnixTimestamp(l.slot) >= {to:UInt32})
    ]))
  FROM /*!$database.*/slots AS l
) AS slots

-- {{changed_texts}}: the changes of a text of machines: `change` is the place of a slot in `slots` and the text from there on, empty if it is not known or the
-- machine is not on the market. It needs `slots` of slots_around, and the CTE seen_texts: each text of a machine and the places at which it was seen.
SELECT gpu_name, machine_id, change
FROM (
  -- A state is a number: its place among the slots times 2^32, plus the number of its text. If a place has several texts, the
  -- last one counts.
  SELECT
    gpu_name, machine_id, texts,
    arraySort(arrayFlatten(arrayMap((number, at) -> arrayMap(place -> bitShiftLeft(toUInt64(place), 32) + number, at), arrayEnumerate(texts), places))) AS seen,
    arrayFilter((one, next) -> bitShiftRight(one, 32) > 0 AND bitShiftRight(one, 32) != bitShiftRight(next, 32), seen, arrayPopFront(arrayPushBack(seen, 0))) AS states
  FROM (
    SELECT gpu_name, machine_id, arraySort(groupArray((text, at))) AS lists, lists.1 AS texts, lists.2 AS places
    FROM seen_texts
    GROUP BY gpu_name, machine_id
  )
)
-- The text from here on, and an empty state where the machine is not at the next slot.
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
