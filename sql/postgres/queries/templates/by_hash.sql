-- A template that is or was in an account's library, by the hash of its content: a repeated request may name one that the first request has
-- replaced. $1 account, $2 hash
SELECT t.id, t.content
FROM template_library l JOIN templates t ON t.id = l.template_id
WHERE l.account_id = $1 AND t.hash_id = $2
ORDER BY t.creator_id = $1 DESC, t.id DESC
LIMIT 1
