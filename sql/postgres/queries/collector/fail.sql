-- Notes that a request gave no market. After the second one in a row slots are left out: 1, 3, 7, … up to an hour.
-- $1 slot, $2 why, $3 when the source wants to be asked again at the earliest (unix seconds; 0: it says nothing), $4 seconds between slots
UPDATE collector
SET
  answered = true, failures = failures + 1, problem = $2,
  ask_after = greatest($3::bigint, $1::bigint + least(greatest($4::int, 3600), $4 * 2 ^ least(failures, 10))::bigint)
WHERE asked_slot = $1
