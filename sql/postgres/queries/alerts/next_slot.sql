-- The slot that rules are evaluated at next, and the one before it; 0: none yet. No row: there is none. Slots of more than a day before the
-- newest are passed over: nobody is to hear of them now, and the first time only of the newest.
SELECT s.slot, p.slot AS previous
FROM alert_progress p
CROSS JOIN LATERAL (
  SELECT n.slot FROM snapshots n
  WHERE n.loaded_at IS NOT NULL AND n.slot > p.slot
    AND n.slot >= (
      SELECT max(m.slot) - CASE WHEN p.slot = 0 THEN 0 ELSE 86400 END FROM snapshots m WHERE m.loaded_at IS NOT NULL
    )
  ORDER BY n.slot
  LIMIT 1
) s
WHERE p.what = 'market'
