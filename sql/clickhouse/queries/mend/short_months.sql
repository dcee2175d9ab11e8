-- Months, as in 202611, with fewer observations than the ledger has entered, by the rows of their parts, which costs next to nothing. Parts with
-- deleted rows count too many, so their months are named, too. Parameters: since.
SELECT month
FROM (
  SELECT toYYYYMM(slot) AS month, sum(observations) AS entered, 0 AS found, 0 AS is_unsure
  FROM slots FINAL
  WHERE ready AND slot >= toDateTime({since:UInt32}, 'UTC')
  GROUP BY month
  UNION ALL
  SELECT toUInt32(partition) AS month, 0, sum(rows), max(has_lightweight_delete)
  FROM /*!cluster($cluster, */system.parts/*!)*/
  WHERE active AND database = currentDatabase() AND table IN ('observations', 'observations_local')
  GROUP BY month
)
GROUP BY month
HAVING sum(entered) > sum(found) OR max(is_unsure) > 0
ORDER BY month
