-- Computes the rows of machine_days for one day. Parameters: day (its start), revision.
INSERT INTO machine_days (
  day, gpu_name, machine_id, num_gpus, slots, first_slot, last_slot, rented_slot, avail_gpus, avail_value, asks, rented_gpus, rented_value,
  before_ask, ask_rented, revision
)
SELECT *, {revision:UInt64} FROM machine_day_rows(day = {day:UInt32})
