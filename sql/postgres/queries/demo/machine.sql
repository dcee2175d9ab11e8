-- Creates the demo machine. It is not listed, so the simulated market neither rents nor changes it. $1 host
INSERT INTO machines (account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, min_gpus)
VALUES ($1, 'RTX 4090', 1, 24576, 82, 98, 500, 1)
RETURNING id
