-- name: by_terms
-- Flows of machines of one GPU name, by the smallest rentable number of GPUs, by the days until their listings end, and by the tier of the host: one row per `term` and
-- `bound`. `bound` is the number of GPUs, the number of the tier, or the last element of `days` that is not above the days left; -1: unknown. `machines` and `hosts` count
-- the group; a machine with an unknown host counts as a host of its own. Rentals and other changes are counted as in `flow_rows`. The variances are
-- from hour to hour and class to class. Parameters: name, the filters, from, to (whole hours); longest: the most seconds between two slots of a pair;
-- days Array(Int32); end_place UInt8: the place of the end in the terms of an observation.
SELECT
  term, bound,
  {{fill_sums}},
  sum(withdrawn) AS withdrawn_gpus,
  min(price_low) AS lowest,
  max(price_high) AS highest,
  groupUniqArrayArray(ids) AS machines,
  groupUniqArrayArray(owners) AS hosts
FROM (
  SELECT
    intDiv(slot, 3600) AS hour, {{filter_columns}}, bounds.1 AS term, bounds.2 AS bound,
    sum(avail * apart) AS exposure, sum(up) AS rentals, sum(gone) AS withdrawn, sum(busy * apart) AS held, sum(down) AS returns,
    sum(avail * apart * gap) AS exposure_gap, sum(busy * apart * gap) AS held_gap, sum(intDiv(avail * busy * apart * gap, smallest)) AS mixed_gap,
    sum(intDiv(up * busy * gap, smallest)) AS mixed_rentals, sum(intDiv(down * avail * gap, smallest)) AS mixed_returns,
    min(ask) AS price_low, max(ask) AS price_high, groupUniqArray(machine_id) AS ids, groupUniqArray(host) AS owners
  FROM (
    SELECT
      *,
      is_verified AS verified,
      hosting AS hosting_type,
      memory AS gpu_memory,
      next - slot AS seconds,
      next_slot = next AS is_there,
      toInt64(greatest(0, seconds + age - is_there * next_age)) AS apart,
      if(apart > seconds, apart, 0) AS gap,
      greatest(1, ifNull(part, 1)) AS smallest,
      least(avail, greatest(0, is_there * next_busy - busy)) AS up,
      greatest(0, avail - up - is_there * next_avail) AS gone,
      greatest(0, busy - is_there * next_busy) AS down,
      intDiv(end_date - slot, 86400) AS left,
      [
        ('min_gpus', ifNull(toInt32(part), -1)),
        ('days_left', if(end_date = 0, -1, {days:Array(Int32)}[greatest(1, arrayCount(day -> day <= left, {days:Array(Int32)}))])),
        ('tier', toInt32(tier))
      ] AS terms_of
    FROM (
      SELECT
        *,
        leadInFrame(slot) OVER machine AS next_slot, leadInFrame(avail) OVER machine AS next_avail, leadInFrame(busy) OVER machine AS next_busy,
        leadInFrame(age) OVER machine AS next_age
      FROM (
        SELECT
          toUnixTimestamp(seen.slot) AS slot, machine_id, seen.num_gpus AS num_gpus,
          max(seen.verified) AS is_verified, max(seen.hosting_type) AS hosting, max(seen.gpu_memory) AS memory, max(seen.tier) AS tier,
          toInt64(sumIf(gpus, NOT rented)) AS avail, toInt64(sumIf(gpus, rented)) AS busy, toInt64(max(carried)) AS age,
          minIf(toFloat64(price), NOT rented) AS cheapest, if(avail > 0, cheapest, NULL) AS ask,
          min(min_gpus) AS part,
          any(if(seen.host_id IS NULL, concat('machine ', toString(machine_id)), toString(seen.host_id))) AS host,
          toInt64(ifNull(JSONExtract(max(toString(terms)), 'Array(Nullable(Float64))')[{end_place:UInt8}], 0)) AS end_date
        FROM observations AS seen
        WHERE gpu_name = {name:String}
          AND seen.slot >= toDateTime({from:UInt32}, 'UTC') AND seen.slot < toDateTime({to:UInt32} + {longest:UInt32}, 'UTC')
        GROUP BY seen.slot, machine_id, seen.num_gpus
      )
      WINDOW machine AS (PARTITION BY machine_id, num_gpus ORDER BY slot ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING)
    ) AS state
    INNER JOIN (
      SELECT slot, leadInFrame(slot) OVER (ORDER BY slot ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) AS next
      FROM (
        SELECT DISTINCT toUnixTimestamp(s.slot) AS slot FROM slots AS s
        WHERE s.ready AND s.slot >= toDateTime({from:UInt32}, 'UTC') AND s.slot < toDateTime({to:UInt32} + {longest:UInt32}, 'UTC')
      )
    ) AS pair USING (slot)
    WHERE slot < {to:UInt32} AND next > 0 AND next - slot <= {longest:UInt32}
  )
  ARRAY JOIN terms_of AS bounds
  WHERE {{filter_machines}}
  GROUP BY hour, {{filter_columns}}, term, bound
)
GROUP BY term, bound
ORDER BY term, bound

-- name: positions
-- Flows in each price position: one row per GPU name and position. The variances are from hour to hour and class to class.
-- Parameters: names Array(String), the filters, from, to (whole hours).
SELECT
  gpu_name, position,
  {{fill_sums}},
  sum(withdrawn) AS withdrawn_gpus,
  min(price_low) AS lowest,
  max(price_high) AS highest
FROM flows FINAL
WHERE gpu_name IN {names:Array(String)}
  AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  AND {{filter_machines}}
GROUP BY gpu_name, position
ORDER BY gpu_name, position

-- name: hours
-- New rentals of one GPU name in each hour with free GPUs. `expected` has the rentals of these GPUs if a price position and rig size had the
-- same rate in all hours, so that other offers in some hours are no pattern. The rate of a position and rig size is pulled to the rate of the name, as
-- if `usual` more GPUs had been rented at that one. Seconds are GPU-seconds. Parameters: name, the filters, from, to (whole hours); usual Float64.
SELECT
  toUnixTimestamp(start) AS start,
  toFloat64(sum(rented)) AS rentals,
  sum(exposed * rate) AS expected,
  sum(toFloat64(exposed)) AS exposed_seconds,
  sum(toFloat64(exposed) * num_gpus) AS exposed_rigs,
  sum(toFloat64(gap)) AS exposed_gap
FROM (
  SELECT
    start, num_gpus, rented, exposed, gap,
    sum(rented) OVER () / sum(exposed) OVER () AS usual_rate,
    sum(exposed) OVER (PARTITION BY position, num_gpus) AS cell_exposed,
    if(usual_rate = 0, 1, (sum(rented) OVER (PARTITION BY position, num_gpus) + {usual:Float64}) / (cell_exposed + {usual:Float64} / usual_rate)) AS rate
  FROM (
    SELECT hour AS start, position, num_gpus, sum(rentals) AS rented, sum(exposure) AS exposed, sum(exposure_gap) AS gap
    FROM flows FINAL
    WHERE gpu_name = {name:String}
      AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
      AND {{filter_machines}}
    GROUP BY start, position, num_gpus
    HAVING exposed > 0
  )
)
GROUP BY start
ORDER BY start

-- name: spells
-- Times until machines of one GPU name were rented: the number of spells by seconds, and by whether they ended with a rental. A
-- spell begins when nothing of the machine was available at the slot before, or some of it has been rented since. Spells that
-- were open at the start or after a gap are left out. A spell is cut at gaps, at the end, and when the machine is withdrawn. With
-- another rig size it is a new machine. Parameters: name, the filters, from, to; longest: the most seconds between two slots
-- without a gap.
SELECT ended - began AS seconds, rented_from, count() AS spells
FROM (
  SELECT
    machine_id, num_gpus, spell,
    min(slot) AS began,
    max(if(next > 0, next, slot)) AS ended,
    max(up > 0) AS rented_from,
    argMin(is_fresh, slot) AS is_whole,
    argMin(is_verified, slot) AS was_verified,
    argMin(hosting, slot) AS was_hosted,
    argMin(memory, slot) AS had_memory,
    argMin(tier, slot) AS had_tier
  FROM (
    SELECT *, sum(is_fresh OR prev = 0) OVER (PARTITION BY machine_id, num_gpus ORDER BY slot ROWS UNBOUNDED PRECEDING) AS spell
    FROM (
      SELECT
        *,
        if(next > 0 AND next_slot = next, least(avail, greatest(0, next_busy - busy)), 0) AS up,
        prev > 0 AND prev_slot = prev AS was_there,
        prev > 0 AND NOT (was_there AND prev_avail > 0 AND busy <= prev_busy) AS is_fresh
      FROM (
        SELECT
          *,
          lagInFrame(slot) OVER machine AS prev_slot, lagInFrame(avail) OVER machine AS prev_avail, lagInFrame(busy) OVER machine AS prev_busy,
          leadInFrame(slot) OVER machine AS next_slot, leadInFrame(busy) OVER machine AS next_busy
        FROM (
          SELECT
            toUnixTimestamp(seen.slot) AS slot, machine_id, seen.num_gpus AS num_gpus,
            max(seen.verified) AS is_verified, max(seen.hosting_type) AS hosting, max(seen.gpu_memory) AS memory, max(seen.tier) AS tier,
            toInt64(sumIf(gpus, NOT rented)) AS avail, toInt64(sumIf(gpus, rented)) AS busy
          FROM observations AS seen
          WHERE gpu_name = {name:String}
            AND seen.slot >= toDateTime({from:UInt32}, 'UTC') AND seen.slot < toDateTime({to:UInt32}, 'UTC')
          GROUP BY seen.slot, machine_id, seen.num_gpus
        ) AS state
        INNER JOIN (
          SELECT
            slot,
            if(before > 0 AND slot - before <= {longest:UInt32}, before, 0) AS prev,
            if(behind > 0 AND behind - slot <= {longest:UInt32}, behind, 0) AS next
          FROM (
            SELECT
              slot,
              lagInFrame(slot) OVER (ORDER BY slot ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS before,
              leadInFrame(slot) OVER (ORDER BY slot ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) AS behind
            FROM (
              SELECT DISTINCT toUnixTimestamp(s.slot) AS slot FROM slots AS s
              WHERE s.ready AND s.slot >= toDateTime({from:UInt32}, 'UTC') AND s.slot < toDateTime({to:UInt32}, 'UTC')
            )
          )
        ) AS pair USING (slot)
        WINDOW machine AS (PARTITION BY machine_id, num_gpus ORDER BY slot ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)
      )
      WHERE avail > 0
    )
  )
  GROUP BY machine_id, num_gpus, spell
  HAVING is_whole AND ended > began
    AND (
      {verified:String} = 'all'
      OR if({verified:String} IN ('yes', 'no'), was_verified = ({verified:String} = 'yes'), NOT was_verified AND toString(had_tier) = {verified:String})
    )
    AND ({hosting_type:String} = 'all' OR was_hosted = {hosting_type:String})
    AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
    AND ({gpu_memory:UInt16} = 0 OR had_memory = {gpu_memory:UInt16})
)
GROUP BY seconds, rented_from
ORDER BY seconds, rented_from

-- name: swept
-- True if a slot has not seen each machine of a GPU name. Parameters: name, from, to.
SELECT max(o.carried) > 0 AS swept
FROM observations AS o
WHERE gpu_name = {name:String} AND o.slot >= toDateTime({from:UInt32}, 'UTC') AND o.slot < toDateTime({to:UInt32}, 'UTC')
