-- Until when (unix seconds) the series is complete: every snapshot of that time is loaded, every noted roll-up is done, and five minutes have
-- passed, in which a capture ends. 0 while the history of a simulated market fills in.
SELECT CASE
  WHEN EXISTS (SELECT FROM simulation WHERE filled_from > fill_until) THEN 0
  ELSE least(
    extract(epoch FROM rackrate_now())::bigint - 300,
    (SELECT min(slot) FROM snapshots WHERE loaded_at IS NULL),
    (SELECT min(from_slot) FROM pending_rollups)
  )
END AS until
