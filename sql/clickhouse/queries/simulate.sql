-- name: observations
-- Enters simulated observations that stay the same for a while: a line holds for each slot of [since, until). As one line a slot they
-- would be thirty times the text, and ten times the work. Parameters: interval UInt32 (seconds). Data follows as JSONCompactEachRow.
INSERT INTO observations (
  {{observation_columns}}
)
SELECT
  {{observation_columns}}
FROM (
  SELECT *, toDateTime(arrayJoin(range(since, until, {interval:UInt32})), 'UTC') AS slot
  FROM input('
    since UInt32, until UInt32, {{observation_types}}
  ')
)
FORMAT JSONCompactEachRow

-- name: there
-- How many simulated observations of [from, to) are there. Parameters: from, to UInt32 (unix seconds).
SELECT count() AS observations
FROM observations
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC') AND source = 'simulated'
