-- name: due
-- The days of [since, until) that are due for publication, oldest first: days never published, and days whose slots, or the slots
-- of a compared day, have changed since. A day that has lost all its slots has a fingerprint of 0. Times are unix seconds.
-- Fingerprints are text, since they are too long for a number of JavaScript. `reason` is the reason for the next vintage.
-- Parameters: since, until (starts of days), most.
WITH
  (
    SELECT groupArray((day, print)) FROM (
      SELECT toDate(slot) AS day, sum({{slot_print}}) AS print
      FROM slots FINAL
      WHERE ready
      GROUP BY day
    )
  ) AS found,
  (SELECT groupArray((p.day, (p.print, p.print_1, p.print_28))) FROM published_days AS p FINAL) AS stored,
  CAST(found, 'Map(Date, UInt64)') AS prints,
  CAST(stored, 'Map(Date, Tuple(UInt64, UInt64, UInt64))') AS published
SELECT
  toUnixTimestamp(toDateTime(days.day, 'UTC')) AS day,
  toString(now.1) AS print, toString(now.2) AS print_1, toString(now.3) AS print_28,
  multiIf(
    NOT is_published, 'first publication',
    now.1 != then.1, 'the data of the day changed',
    now.2 != then.2, 'the data of the day before changed',
    'the data of the day 28 days before changed'
  ) AS reason
FROM (
  SELECT
    day,
    (prints[day], prints[day - 1], prints[day - 28]) AS now,
    published[day] AS then,
    mapContains(published, day) AS is_published
  FROM (SELECT arrayJoin(arrayDistinct(arrayConcat(mapKeys(prints), mapKeys(published)))) AS day)
) AS days
WHERE (NOT is_published OR now != then)
  AND days.day >= toDate(toDateTime({since:UInt32}, 'UTC')) AND days.day < toDate(toDateTime({until:UInt32}, 'UTC'))
ORDER BY day
LIMIT {most:UInt32}

-- name: enter
-- Records a day as published. Parameters: day (its start), print, print_1, print_28 (the fingerprints of `due`), revision.
INSERT INTO published_days (day, print, print_1, print_28, revision)
SELECT toDate(toDateTime({day:UInt32}, 'UTC')), {print:UInt64}, {print_1:UInt64}, {print_28:UInt64}, {revision:UInt64}

-- name: find_stale
-- One row if machine_days has rows that `forget_stale` would remove. Parameters: day (its start), revision.
SELECT 1 AS stale FROM machine_days FINAL WHERE day = toDate(toDateTime({day:UInt32}, 'UTC')) AND revision < {revision:UInt64} LIMIT 1

-- name: forget_entry
-- Deletes the entry of a published day if it does not match its seal. Parameters: day (its start).
DELETE FROM /*!$database.*/published_days/*!_local ON CLUSTER $cluster*/
WHERE day = toDate(toDateTime({day:UInt32}, 'UTC')) AND NOT is_sealed

-- name: forget_index
-- Deletes rows of the price index of a day that do not match their seal. If the day was not published, deletes all of them.
-- Parameters: day (its start); is_stray Bool.
DELETE FROM /*!$database.*/price_index/*!_local ON CLUSTER $cluster*/
WHERE day = toDate(toDateTime({day:UInt32}, 'UTC')) AND ({is_stray:Bool} OR NOT is_sealed)

-- name: forget_stale
-- After a day was computed again, deletes its rows without observations. Parameters: day (its start), revision.
DELETE FROM /*!$database.*/machine_days/*!_local ON CLUSTER $cluster*/
WHERE day = toDate(toDateTime({day:UInt32}, 'UTC')) AND revision < {revision:UInt64}

-- name: machines
-- Computes the rows of machine_days for one day. Parameters: day (its start), revision.
INSERT INTO machine_days (
  day, gpu_name, machine_id, num_gpus, slots, first_slot, last_slot, rented_slot, avail_gpus, avail_value, asks, rented_gpus, rented_value,
  before_ask, ask_rented, gpu_memory, verified, hosting_type, host_id, first_rented, revision
)
SELECT *, {revision:UInt64} FROM machine_day_rows(day = {day:UInt32})

-- name: publish
-- Publishes a day of the price index: rows that are not published yet, or not with this content, each as the next vintage.
-- Parameters: day (its start), reason, revision.
INSERT INTO price_index (
  day, gpu_name, edition, reason, machines, matched_share, ln_link, machines_28, matched_share_28, ln_link_28, hash, revision
)
SELECT
  computed.day, computed.gpu_name, published.newest + 1, if(published.newest = 0, 'first publication', {reason:String}),
  computed.machines, computed.matched_share, computed.ln_link,
  computed.machines_28, computed.matched_share_28, computed.ln_link_28, computed.hash, {revision:UInt64}
FROM (SELECT * FROM price_index_rows(day = {day:UInt32})) AS computed
LEFT JOIN (
  SELECT toString(gpu_name) AS gpu_name, max(edition) AS newest, argMax(hash, edition) AS hash
  FROM price_index FINAL
  WHERE day = toDate(toDateTime({day:UInt32}, 'UTC'))
  GROUP BY gpu_name
) AS published ON computed.gpu_name = published.gpu_name
WHERE computed.hash != published.hash

-- name: whole_since
-- The time since which, until `until`, the rows of machine_days match the slots. Earlier days are due for publication.
-- Parameters: since, until (starts of days, unix seconds).
SELECT greatest({since:UInt32}, toUnixTimestamp(toDateTime(max(day) + 1, 'UTC'))) AS since
FROM (
  SELECT day
  FROM (
    SELECT toDate(slot) AS day, {{slot_print}} AS present, toUInt64(0) AS published
    FROM slots FINAL
    WHERE ready AND slot >= toDateTime({since:UInt32}, 'UTC') AND slot < toDateTime({until:UInt32}, 'UTC')
    UNION ALL
    SELECT p.day, 0, p.print
    FROM published_days AS p FINAL
    WHERE p.day >= toDate(toDateTime({since:UInt32}, 'UTC')) AND p.day < toDate(toDateTime({until:UInt32}, 'UTC'))
  )
  GROUP BY day
  HAVING sum(present) != sum(published)
)
