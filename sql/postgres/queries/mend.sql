-- name: note_lost
-- Makes the lost ranges those of $1, a JSON array of {place, from, to, problem}. One that was there before keeps the time when it was found.
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
-- Enters broken parts that are new, forgets those that are no longer there, and answers those that are not mended.
-- $1 all broken parts: JSON array of {place, from, to, problem}
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
