-- The machines of a key whose earnings are due to be read, longest ago first. $1 the key's id, $2 how many
SELECT machine_id::float8 AS id FROM claim_machines
WHERE key_id = $1 AND is_shown AND (earned_ask_after <= rackrate_now() OR earned_ask_after > rackrate_now() + interval '25 hours')
ORDER BY earned_ask_after, machine_id LIMIT $2
