-- Drops the spooled rows of slots that were loaded more than $1 days ago.
DELETE FROM spool USING snapshots
WHERE snapshots.slot = spool.slot AND snapshots.loaded_at < rackrate_now() - $1::int * interval '1 day'
