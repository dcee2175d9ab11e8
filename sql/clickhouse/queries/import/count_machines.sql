-- Before an import is removed: lets another row of each machine of [from, to) count it where only the import does, the available one before a rented one.
-- Parameters: source, import, from, to.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
UPDATE machines = 1
WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  AND import_id != {import:UInt64}
  AND (slot, machine_id, gpu_name, rented, price, rental_type) IN (
    SELECT slot, machine_id, gpu_name, rented, price, rental_type
    FROM (
      SELECT *, max(machines) OVER (PARTITION BY slot, machine_id) AS counted
      FROM /*!$database.*/observations
      WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
        AND import_id != {import:UInt64}
    )
    WHERE counted = 0
    ORDER BY rented, price, rental_type
    LIMIT 1 BY slot, machine_id
  )
SETTINGS mutations_execute_subqueries_on_initiator = 1
