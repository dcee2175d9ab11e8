-- name: lost_ranges
-- The ranges whose rows are named as lost. No parameters.
SELECT from_slot AS "from", to_slot AS "to" FROM damages WHERE kind = 'lost' AND mended_at IS NULL

-- name: note_lost
-- Replaces the list of lost ranges by $1, a JSON array of {place, from, to, problem}. Existing ones keep the time when they were
-- found.
WITH found AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS f(place text, "from" bigint, "to" bigint, problem text)
),
forgotten AS (
  DELETE FROM damages WHERE kind = 'lost' AND place NOT IN (SELECT place FROM found)
)
INSERT INTO damages (place, kind, from_slot, to_slot, problem)
SELECT place, 'lost', "from", "to", problem FROM found
ON CONFLICT (place) DO UPDATE SET to_slot = excluded.to_slot, problem = excluded.problem

-- name: note_parts
-- Adds new broken parts, deletes parts that no longer exist, and returns the unmended ones. $1 all broken parts: JSON array of
-- {place, from, to, problem}
WITH found AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS f(place text, "from" bigint, "to" bigint, problem text)
),
forgotten AS (
  DELETE FROM damages WHERE kind = 'part' AND place NOT IN (SELECT place FROM found)
),
entered AS (
  INSERT INTO damages (place, kind, from_slot, to_slot, problem)
  SELECT place, 'part', "from", "to", problem FROM found
  ON CONFLICT (place) DO NOTHING
)
SELECT place FROM found WHERE place NOT IN (SELECT place FROM damages WHERE mended_at IS NOT NULL)
