-- The rows of flows of the hours in [from, to): the changes between each slot and the market's next, from the observations. A
-- machine is followed by its id, GPU name and rig size: with another name or size it is a new machine. Its price position is
-- among the GPUs of its name and size of memory. Each observation counts at its slot, and once more, as the next state, at the
-- slot before. A machine that a slot has not seen is carried in its last state: its time is counted when it is seen again, so
-- `apart` is the time between two sights, and 0 while it is carried. `transform` finds a slot's neighbours in a hash table; indexOfAssumeSorted reads the whole array. Parameters:
-- from, to UInt32 (unix seconds, whole hours); longest UInt32: the most seconds between two slots that make a pair.
CREATE OR REPLACE VIEW /*!$database.*/flow_rows/*!_local ON CLUSTER $cluster*/ AS
WITH (
  -- The slots of the range and the first one after it. The last one ends no hour: it has no next here. Numbers are compared,
  -- since a Distributed table mistakes a time made from a parameter for another column on each side.
  SELECT arraySort(groupUniqArrayIf(toUnixTimestamp(s.slot), toUnixTimestamp(s.slot) < {to:UInt32}))
    || arrayFilter(first -> first > 0, [minIf(toUnixTimestamp(s.slot), toUnixTimestamp(s.slot) >= {to:UInt32})])
  FROM /*!$database.*/slots AS s
  WHERE s.slot >= toDateTime({from:UInt32}, 'UTC') AND s.slot < toDateTime({to:UInt32} + {longest:UInt32}, 'UTC')
) AS slots
SELECT
  toStartOfHour(toDateTime(slot, 'UTC')) AS hour,
  gpu_name,
  num_gpus,
  CAST(bitAnd(class, 1), 'Bool') AS verified,
  CAST(bitAnd(bitShiftRight(class, 1), 3) AS Enum8('unknown' = 0, {{hosting_types}})) AS hosting_type,
  any(memory) AS gpu_memory,
  CAST(bitAnd(bitShiftRight(class, 3), 3) AS {{tier_type}}) AS tier,
  toUInt8(if(avail = 0, 10, least(9, intDiv(10 * cheaper, all_avail)))) AS position,
  toUInt64(sum(exposed)) AS exposure,
  toUInt32(sum(up)) AS rentals,
  toUInt32(sum(gone)) AS withdrawn,
  toDecimal64(sum(toDecimal128(ifNull(ask, 0), 9) * up), 9) AS rental_value,
  toUInt64(sum(kept)) AS held,
  toUInt32(sum(down)) AS returns,
  min(ask) AS price_low,
  max(ask) AS price_high,
  toUInt64(sum(exposed_gap)) AS exposure_gap,
  toUInt64(sum(kept_gap)) AS held_gap,
  toUInt64(sum(both_gap)) AS mixed_gap,
  toUInt64(sum(both_up)) AS mixed_rentals,
  toUInt64(sum(both_down)) AS mixed_returns
FROM (
  SELECT
    slot, gpu_name, num_gpus, class, toUInt16(bitShiftRight(class, 5)) AS memory, ask, avail, exposed, kept, exposed_gap, kept_gap, both_gap, both_up, both_down, up, gone, down,
    sum(avail) OVER (PARTITION BY slot, gpu_name, memory ORDER BY nanos RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS cheaper,
    sum(avail) OVER (PARTITION BY slot, gpu_name, memory) AS all_avail
  FROM (
    SELECT
      slot, gpu_name, num_gpus, class, ask, reinterpretAsInt64(ifNull(ask, toDecimal64(0, 9))) AS nanos,
      sum(state.avail) AS avail, sum(state.up) AS up, sum(state.gone) AS gone, sum(state.down) AS down,
      sum(state.avail * apart) AS exposed, sum(state.busy * apart) AS kept,
      sum(state.avail * apart * gap) AS exposed_gap, sum(state.busy * apart * gap) AS kept_gap,
      sum(intDiv(state.avail * state.busy * apart * gap, part)) AS both_gap,
      sum(intDiv(state.up * state.busy * gap, part)) AS both_up, sum(intDiv(state.down * state.avail * gap, part)) AS both_down
    FROM (
      SELECT
        gpu_name, num_gpus, slot, transform(slot, slots, arrayPopFront(slots) || [0], 0) - slot AS seconds, avail, busy, ask, class, part,
        greatest(0, seconds + age - next_age) AS apart,
        if(apart > seconds, apart, 0) AS gap,
        least(avail, greatest(0, next_busy - busy)) AS up,
        greatest(0, avail - up - next_avail) AS gone,
        greatest(0, busy - next_busy) AS down
      FROM (
        SELECT
          gpu_name, machine_id, num_gpus, if(is_next, before, seen) AS slot,
          toInt64(sumIf(gpus, NOT is_next AND NOT rented)) AS avail,
          toInt64(sumIf(gpus, NOT is_next AND rented)) AS busy,
          minOrNullIf(price, NOT is_next AND NOT rented) AS ask,
          maxIf(toUInt32(verified + 2 * toUInt8(hosting_type) + 8 * toUInt8(tier) + 32 * toUInt32(gpu_memory)), NOT is_next) AS class,
          toInt64(sumIf(gpus, is_next AND NOT rented)) AS next_avail,
          toInt64(sumIf(gpus, is_next AND rented)) AS next_busy,
          toInt64(maxIf(carried, NOT is_next)) AS age,
          toInt64(maxIf(carried, is_next)) AS next_age,
          greatest(1, maxIf(ifNull(min_gpus, 1), NOT is_next)) AS part
        FROM (
          SELECT
            toUnixTimestamp(slot) AS seen, transform(seen, slots, [0] || arrayPopBack(slots), 0) AS before,
            gpu_name, machine_id, num_gpus, gpus, rented, price, verified, hosting_type, gpu_memory, tier, carried, min_gpus
          FROM /*!$database.*/observations/*!_local*/ AS o
          WHERE o.slot >= toDateTime({from:UInt32}, 'UTC') AND o.slot <= toDateTime(slots[-1], 'UTC')
        )
        ARRAY JOIN [false, true] AS is_next
        GROUP BY gpu_name, machine_id, num_gpus, slot
      )
      WHERE avail + busy > 0 AND seconds BETWEEN 1 AND {longest:UInt32}
    ) AS state
    GROUP BY slot, gpu_name, num_gpus, class, ask
  )
)
GROUP BY hour, gpu_name, num_gpus, class, position
