-- Notes that the source is asked for a slot now, and returns what is known of its last good slot. No row: it is not to be asked, because it was
-- asked for this slot, is to be left alone, or is not the source of this site any more. When a process ended during its request, another one
-- asks again. $1 slot, $2 the name of the source, $3 seconds that a request may take, $4 whether to ask in any case
UPDATE collector
SET asked_slot = $1, asked_at = rackrate_now(), answered = false
WHERE source = $2
  AND ($4 OR asked_slot IS DISTINCT FROM $1 OR NOT answered AND asked_at < rackrate_now() - make_interval(secs => $3))
  -- At most a day: what is further away was written by a clock that was wrong.
  AND ($4 OR ask_after NOT BETWEEN $1 + 1 AND $1 + 90000)
  AND NOT EXISTS (SELECT FROM snapshots WHERE slot = $1)
RETURNING
  good_slot, machines,
  CASE WHEN EXISTS (SELECT FROM spool WHERE slot = good_slot) THEN validators END AS validators
