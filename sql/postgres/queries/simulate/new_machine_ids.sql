-- Numbers for new machines. $1 how many
SELECT nextval(pg_get_serial_sequence('machines', 'id'))::int AS id FROM generate_series(1, $1::int)
