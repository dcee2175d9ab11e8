-- Gives a challenge a new code. $1 challenge, $2 hash of the code, $3 seconds it is valid
UPDATE tfa_challenges SET
  code_hash = $2, sends = sends + 1, sent_at = rackrate_now(), expires_at = rackrate_now() + make_interval(secs => $3)
WHERE id = $1
