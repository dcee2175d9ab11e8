-- The slot of the clock that was looked at last, and the newest slot of the market that is loaded; 0: none
SELECT p.slot AS previous, coalesce((SELECT max(slot) FROM snapshots WHERE loaded_at IS NOT NULL), 0) AS newest
FROM alert_progress p WHERE p.what = 'clock'
