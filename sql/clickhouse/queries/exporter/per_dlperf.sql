-- What 100 points of the deep-learning score cost in one slot, over all GPU names with a known score. `any` pools both values. Parameters: slot.
SELECT
  verified_or_any AS verified, rented_or_any AS rented, quantilesExactWeighted(0.1, 0.5, 0.9)(cost, gpus) AS prices
FROM (
  SELECT
    toUInt64(gpus) AS gpus, 100 * toFloat64(price) / dlperf AS cost,
    arrayJoin([if(o.verified, 'yes', 'no'), 'any']) AS verified_or_any, arrayJoin([if(o.rented, 'yes', 'no'), 'any']) AS rented_or_any
  FROM observations AS o
  WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND dlperf > 0
)
GROUP BY verified, rented
