-- Takes machines online or offline. $1 machines, $2 whether they are online
UPDATE machines SET online = new.online
FROM unnest($1::int[], $2::boolean[]) AS new(machine_id, online)
WHERE machines.id = new.machine_id
