-- name: cells
-- Rentals and returns of each machine in [from, to), by twentieth of the share of its product's available GPUs that cost less
-- (band; 20: nothing of it was available). A product is a GPU name and size of memory. Sums of the share, of ln price ÷ median,
-- and of times are weighted by exposure. Parameters: from, to (unix seconds); longest: the most seconds between two slots that
-- make a pair.
WITH (
  SELECT arraySort(groupUniqArray(toUnixTimestamp(s.slot))) FROM slots AS s
  WHERE s.ready AND s.slot >= toDateTime({from:UInt32}, 'UTC') AND s.slot < toDateTime({to:UInt32} + {longest:UInt32}, 'UTC')
) AS known_slots
SELECT
  id, gpu_name, memory AS gpu_memory, rig AS num_gpus,
  any(is_verified) AS verified, toString(any(hosting)) AS hosting_type,
  toUInt8(if(avail = 0, 20, least(19, floor(20 * cheaper_share)))) AS band,
  toFloat64(sum(exposed)) AS exposed_seconds,
  sum(exposed * cheaper_share) AS share,
  sum(exposed * relative) AS dearness,
  sum(exposed * cos(angle)) AS cosine,
  sum(exposed * sin(angle)) AS sine,
  toFloat64(sum(exposed * (toDayOfWeek(toDateTime(at, 'UTC')) > 5))) AS weekend,
  toFloat64(sum(up)) AS rented_gpus,
  toFloat64(sum(up * up)) AS rented_squares,
  toFloat64(sum(busy * seconds)) AS held_seconds,
  toFloat64(sum(greatest(0, busy - next_rented))) AS returned_gpus
FROM (
  SELECT
    *,
    next - at AS seconds,
    avail * seconds AS exposed,
    if(next_at = next, next_busy, 0) AS next_rented,
    least(avail, greatest(0, next_rented - busy)) AS up,
    2 * pi() * (at % 86400) / 86400 AS angle
  FROM (
    SELECT
      *,
      toInt64(transform(at, known_slots, arrayPopFront(known_slots) || [0], 0)) AS next,
      leadInFrame(at) OVER machine AS next_at,
      leadInFrame(busy) OVER machine AS next_busy
    FROM ({{priced_machines}})
    WINDOW machine AS (PARTITION BY id, gpu_name, rig ORDER BY at ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING)
  )
  WHERE at < {to:UInt32} AND next > at AND next - at <= {longest:UInt32}
)
GROUP BY id, gpu_name, memory, rig, band

-- name: snapshot
-- The machines at a slot: their free and rented GPUs, and their prices relative to their products. The contract price stands for
-- the ask of a machine without free GPUs. Parameters: from (the slot), to (a second later), longest (0).
SELECT
  id, gpu_name, memory AS gpu_memory, rig AS num_gpus, is_verified AS verified, toString(hosting) AS hosting_type,
  toFloat64(avail) AS free, toFloat64(busy) AS rented, cheaper_share AS share, relative AS dearness, price
FROM ({{priced_machines}})

-- name: books
-- The offers of each product at some slots, cheapest first, and ln of the median price of its machines. Parameters: slots
-- Array(UInt32).
SELECT
  at AS slot, gpu_name, memory AS gpu_memory,
  arraySort(groupArrayIf((price, toFloat64(avail), id), avail > 0)) AS offers,
  quantileExactInclusive(0.5)(log(price)) AS median
FROM (
  SELECT
    toUnixTimestamp(seen.slot) AS at, machine_id AS id, seen.gpu_name AS gpu_name, max(seen.gpu_memory) AS memory,
    {{machine_price}}
  FROM observations AS seen
  WHERE toUnixTimestamp(seen.slot) IN {slots:Array(UInt32)}
  GROUP BY seen.slot, machine_id, seen.gpu_name, seen.num_gpus
)
GROUP BY at, gpu_name, memory
ORDER BY at
