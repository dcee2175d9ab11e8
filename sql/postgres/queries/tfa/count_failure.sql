-- Counts a wrong code and locks the method for 15 minutes at the $3rd in a row. After a lock has ended, the count starts again.
-- $1 account, $2 method, $3 failures in a row that lock
INSERT INTO tfa_failures AS f (account_id, method, fail_count) VALUES ($1, $2, 1)
ON CONFLICT (account_id, method) DO UPDATE SET
  fail_count = CASE WHEN f.locked_until IS NULL THEN f.fail_count + 1 ELSE 1 END,
  locked_until = CASE WHEN f.locked_until IS NULL AND f.fail_count + 1 >= $3 THEN rackrate_now() + interval '15 minutes' END
RETURNING fail_count, extract(epoch FROM locked_until)::float8 AS locked_until
