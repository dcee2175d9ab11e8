-- What a database holds: the engine behind `cube`, the schema's version, and for how many shards its tables were made; '' and 0 for nothing.
-- Parameters: database.
SELECT
  maxIf(engine, name = 'cube') AS engine,
  maxIf(comment, name = 'bucket_rows') AS version,
  max(toUInt32OrZero(extract(create_table_query, 'cityHash64\\(gpu_name\\) % [^0-9]*(\\d+)'))) AS shards
FROM /*!cluster($cluster, */system.tables/*!)*/
WHERE database = {database:String} AND name IN ('cube', 'bucket_rows')
