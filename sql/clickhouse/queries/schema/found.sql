-- What a database holds: the engine of `cube` ('' when there is none), whether it lists the files it has applied and has slots, and for how
-- many shards its tables were made (0 when they are not distributed). Parameters: database.
SELECT
  maxIf(engine, name = 'cube') AS engine,
  (SELECT count() FROM system.tables WHERE database = {database:String} AND name = 'migrations') > 0 AS has_ledger,
  (SELECT count() FROM system.tables WHERE database = {database:String} AND name = 'slots') > 0 AS has_slots,
  max(toUInt32OrZero(extract(create_table_query, 'cityHash64\\(gpu_name\\) % [^0-9]*(\\d+)'))) AS shards
FROM /*!cluster($cluster, */system.tables/*!)*/
WHERE database = {database:String} AND name = 'cube'
