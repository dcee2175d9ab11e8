-- name: machines
-- The machines of one slot by state. `is_listed`: PostgreSQL has the machine; ids of imports are separate. Parameters: slot.
SELECT
  machine_id, gpu_name, rented, verified, {{is_datacenter}} AS datacenter, country AS country_code,
  source IN ('market', 'simulated') AS is_listed,
  sum(gpus) AS num_gpus
FROM observations
WHERE slot = toDateTime({slot:UInt32}, 'UTC')
GROUP BY ALL

-- name: places
-- The market of one slot by place, most GPUs first. `is_shown`: the place has enough machines and hosts to show its occupancy.
-- Parameters: the filters, slot; gpu_name (empty: all); codes, places Array(String): the place of each country; own UInt8.
SELECT
  place,
  sum(seen.machines) AS machines, sum(seen.gpus) AS gpus, sumIf(seen.gpus, NOT rented) AS available_gpus,
  {own:UInt8} = 0 OR {{enough_machines}} AS is_shown,
  toFloat64(if(
    {gpu_name:String} = '' OR available_gpus = gpus OR NOT ({own:UInt8} = 0 OR {{enough_rented}}), NULL,
    quantileExactWeightedIf(0.5)(price, seen.gpus, rented)
  )) AS rented_median,
  toFloat64(if({gpu_name:String} = '' OR available_gpus = 0, NULL, quantileExactWeightedIf(0.5)(price, seen.gpus, NOT rented))) AS avail_median
FROM (SELECT *, {{place}} AS place FROM observations WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND {{machines_in_places}}) AS seen
GROUP BY place
ORDER BY gpus DESC, place

-- name: rented
-- Rented and all GPUs by place, summed over the newest slot and the seven whole days before it, for the machines of that slot. `usual`: the
-- rented GPUs if each GPU name had the occupancy that it has in all places. Parameters as in `places`.
WITH
  here AS (
    SELECT
      machine_id, gpu_name, num_gpus, any({{place}}) AS place,
      sum(observations.gpus) AS all_gpus, sumIf(observations.gpus, rented) AS rented_gpus
    FROM observations
    WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND {{machines_in_places}}
    GROUP BY machine_id, gpu_name, num_gpus
  ),
  each AS (
    SELECT machine_id, gpu_name, place, all_gpus AS total, rented_gpus AS rented FROM here
    UNION ALL
    SELECT machine_id, gpu_name, here.place, days.avail_gpus + days.rented_gpus AS total, days.rented_gpus AS rented
    FROM (
      SELECT gpu_name, machine_id, num_gpus, avail_gpus, rented_gpus
      FROM machine_days FINAL
      WHERE machine_days.day >= toDate(toDateTime({slot:UInt32}, 'UTC')) - 7 AND machine_days.day < toDate(toDateTime({slot:UInt32}, 'UTC'))
        AND ({gpu_name:String} = '' OR gpu_name = {gpu_name:String})
    ) AS days
    INNER JOIN here USING (machine_id, gpu_name, num_gpus)
  )
SELECT place, sum(of_name.rented) AS rented, sum(of_name.total * all_rented / all_total) AS usual, sum(of_name.total) AS total
FROM (
  SELECT
    place, gpu_name, sum(each.rented) AS rented, sum(each.total) AS total,
    sum(rented) OVER (PARTITION BY gpu_name) AS all_rented, sum(total) OVER (PARTITION BY gpu_name) AS all_total
  FROM each
  GROUP BY place, gpu_name
) AS of_name
GROUP BY place

-- name: before
-- GPUs by place 30 days before a slot, at the newest slot that is at most an hour older. Parameters as in `places`.
WITH (
  SELECT max(s.slot) FROM slots AS s
  WHERE s.ready AND s.slot <= toDateTime({slot:UInt32} - 2592000, 'UTC') AND s.slot > toDateTime({slot:UInt32} - 2595600, 'UTC')
) AS month_before
SELECT {{place}} AS place, sum(gpus) AS gpus
FROM observations
WHERE slot = month_before AND {{machines_in_places}}
GROUP BY place
