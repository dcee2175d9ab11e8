-- Puts a method into force. $1 method, $2 label (null: as it was)
UPDATE tfa_methods SET confirmed_at = rackrate_now(), label = coalesce($2, label) WHERE id = $1
