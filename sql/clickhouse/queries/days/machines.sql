-- Computes the rows of machine_days for one day. Parameters: day (its start), revision.
INSERT INTO machine_days (day, gpu_name, machine_id, num_gpus, slots, avail_gpus, avail_value, revision)
SELECT day, gpu_name, machine_id, num_gpus, slots, avail_gpus, avail_value, {revision:UInt64}
FROM machine_day_rows(day = {day:UInt32})
