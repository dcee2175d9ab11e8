-- Has new machines numbered after those that were entered with their numbers.
SELECT setval(pg_get_serial_sequence('machines', 'id'), (SELECT max(id) FROM machines))
