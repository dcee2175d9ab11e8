-- One row when machine_days has rows that forget_stale.sql would remove for good. Parameters: day (its start), revision.
SELECT 1 AS stale FROM machine_days FINAL WHERE day = toDate(toDateTime({day:UInt32}, 'UTC')) AND revision < {revision:UInt64} LIMIT 1
