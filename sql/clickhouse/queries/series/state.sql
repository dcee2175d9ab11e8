-- What the series holds now: `revision` changes whenever an answer may, and `published` whenever a day is published. Slots in unix seconds,
-- 0 when there is none.
SELECT
  max(revision) AS revision,
  toUnixTimestamp(min(slot)) AS first_slot,
  toUnixTimestamp(max(slot)) AS newest_slot,
  toUnixTimestamp(minIf(slot, source = 'simulated')) AS simulated_from,
  toUnixTimestamp(maxIf(slot, source = 'simulated')) AS simulated_to,
  (SELECT max(p.revision) FROM published_days AS p) AS published
FROM slots
WHERE ready
