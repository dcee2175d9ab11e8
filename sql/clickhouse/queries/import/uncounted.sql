-- One row when [from, to) has a machine that only an import counts, and of which there are rows of another one.
-- Parameters: source, import, from, to.
SELECT 1 AS uncounted
FROM observations
WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY slot, machine_id
HAVING max(import_id != {import:UInt64}) AND NOT max(import_id != {import:UInt64} AND machines = 1)
LIMIT 1
