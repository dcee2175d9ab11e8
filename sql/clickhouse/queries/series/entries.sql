-- Every slot of the series by source: whether the ledger has it, with how many observations, whether readers see it, and how many there are.
-- Before `since`, where observations may be gone, what readers see counts as there. Parameters: since.
SELECT
  toUnixTimestamp(slot) AS slot, source, max(is_entered) AS is_entered, sum(entered) AS entered, max(is_ready) AS is_ready,
  sum(found) AS found
FROM (
  SELECT
    slot, source, true AS is_entered, observations AS entered, ready AS is_ready,
    if(ready AND slot < toDateTime({since:UInt32}, 'UTC'), observations, 0) AS found
  FROM slots FINAL
  UNION ALL
  SELECT slot, source, false, 0, false, count()
  FROM observations
  WHERE slot >= toDateTime({since:UInt32}, 'UTC')
  GROUP BY slot, source
)
GROUP BY slot, source
ORDER BY slot, source
