-- Drops the spooled rows of a slot and marks it as loaded, in one statement. $1 slot
WITH dropped AS (DELETE FROM spool WHERE slot = $1)
UPDATE snapshots SET loaded_at = now() WHERE slot = $1
