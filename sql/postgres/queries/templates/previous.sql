-- A template that is or was in an account's library: a repeated request may name one that the first request has replaced.
-- $1 account, $2 template
SELECT
  t.id, t.creator_id, t.content->>'docker_login_user' AS docker_login_user, t.content->>'docker_login_repo' AS docker_login_repo,
  t.docker_login_pass_sealed
FROM template_library l JOIN templates t ON t.id = l.template_id
WHERE l.account_id = $1 AND l.template_id = $2
