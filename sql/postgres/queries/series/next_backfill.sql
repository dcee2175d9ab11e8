-- What an upgrade added that a worker has yet to compute, and before when (unix seconds). $1: all additions, in the order in which they are filled.
SELECT what, todo_before AS before FROM backfills WHERE todo_before > 0 ORDER BY array_position($1, what) LIMIT 1
