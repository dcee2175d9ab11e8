-- {{fill_sums}}: the sums that fill rates are computed from, over rows with the counts of flows. Seconds are GPU-seconds. The
-- variances are variances of the counts from row to row: Σ (count - rate × seconds)². GPUs that are rented together make the
-- variance larger than the count. `…_rigs` are GPU-seconds × the rig size of the machines. The gaps are of machines that a sweep carries (estimates/between-sights.ts).
sum(exposure) AS exposed_seconds,
  sum(rentals) AS rented_gpus,
  rented_gpus / greatest(1, exposed_seconds) AS rented_rate,
  sum(toFloat64(rentals) * rentals) - 2 * rented_rate * sum(toFloat64(rentals) * exposure) + pow(rented_rate, 2) * sum(toFloat64(exposure) * exposure) AS rented_variance,
  sum(held) AS held_seconds,
  sum(returns) AS returned_gpus,
  returned_gpus / greatest(1, held_seconds) AS returned_rate,
  sum(toFloat64(returns) * returns) - 2 * returned_rate * sum(toFloat64(returns) * held) + pow(returned_rate, 2) * sum(toFloat64(held) * held) AS returned_variance,
  sum(toFloat64(exposure) * num_gpus) AS exposed_rigs,
  sum(toFloat64(held) * num_gpus) AS held_rigs,
  toFloat64(sum(exposure_gap)) AS exposed_gap,
  toFloat64(sum(held_gap)) AS kept_gap,
  toFloat64(sum(mixed_gap)) AS both_gap,
  toFloat64(sum(mixed_rentals)) AS both_rented,
  toFloat64(sum(mixed_returns)) AS both_returned
