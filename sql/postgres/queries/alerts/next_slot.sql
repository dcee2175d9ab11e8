-- The slot of a market that rules are evaluated at next. No row: there is none. Slots of more than a day before the newest are passed over: nobody is
-- to hear of them now, and the first time only of the newest. $1 the slot that they were evaluated at last; 0: none
SELECT n.slot FROM snapshots n
WHERE n.loaded_at IS NOT NULL AND n.slot > $1
  AND n.slot >= (
    SELECT max(m.slot) - CASE WHEN $1 = 0 THEN 0 ELSE 86400 END FROM snapshots m WHERE m.loaded_at IS NOT NULL
  )
ORDER BY n.slot
LIMIT 1
