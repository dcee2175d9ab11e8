-- How fast GPUs of all names were rented at each price position. Seconds are GPU-seconds. Parameters: from, to (whole hours).
SELECT position, sum(flows.exposure) AS exposed_seconds, sum(flows.rentals) AS rented_gpus
FROM flows FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC') AND position < 10
GROUP BY position
