-- Uses up the link and the short code of a person, in the order in which they are written. $1 account
WITH short AS (DELETE FROM sign_in_short_codes WHERE account_id = $1)
DELETE FROM sign_in_codes WHERE account_id = $1
