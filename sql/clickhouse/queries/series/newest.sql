-- How far ClickHouse has come with the series: its newest revision, its newest snapshot, and whether it shows one. Parameters: loaded.
SELECT
  max(s.revision) AS revision,
  toUnixTimestamp(maxIf(s.slot, s.source IN ('market', 'simulated'))) AS slot,
  countIf(s.slot = toDateTime({loaded:UInt32}, 'UTC') AND s.ready AND s.source IN ('market', 'simulated')) > 0 AS shown
FROM slots AS s
