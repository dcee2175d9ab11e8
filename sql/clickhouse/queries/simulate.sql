-- name: observations
-- Inserts simulated observations that stay the same for a while: a line holds for each slot of [since, until). One line per slot
-- would be thirty times the text, and ten times the work. Parameters: interval UInt32 (seconds). Data follows as
-- JSONCompactEachRow.
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
-- Number of simulated observations in [from, to). Parameters: from, to UInt32 (unix seconds).
SELECT count() AS observations
FROM observations
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC') AND source = 'simulated'
