-- Counts a guess of a short code, and finds what it should be and whose it is, as find.sql does. $1 hash of the request, $2 most guesses
WITH guessed AS (
  UPDATE sign_in_short_codes SET guesses = guesses + 1
  WHERE request_hash = $1 AND guesses < $2 AND expires_at > rackrate_now()
  RETURNING account_id, code_hash
)
SELECT g.account_id AS id, g.code_hash, a.name, a.email
FROM guessed g JOIN sign_in_codes c USING (account_id) JOIN accounts a ON a.id = c.account_id
WHERE c.expires_at > rackrate_now() AND a.email = c.email AND a.email_verified
