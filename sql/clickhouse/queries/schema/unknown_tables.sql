-- Tables that lack columns of the last release that did not list the files it had applied (commit d58e50a). Parameters: database.
SELECT table
FROM system.columns
WHERE database = {database:String}
GROUP BY table
HAVING NOT hasAll(groupArray(name), map(
  'slots', ['slot', 'source', 'observations', 'ready', 'revision'],
  'observations', [
    'slot', 'machine_id', 'gpu_name', 'num_gpus', 'gpus', 'machines', 'rented', 'verified', 'hosting_type', 'price', 'tflops', 'dlperf', 'source'
  ],
  'price_histogram', ['hour', 'gpu_name', 'num_gpus', 'verified', 'hosting_type', 'rented', 'price', 'gpus', 'revision'],
  'cube', [
    'step', 'verified', 'hosting_type', 'num_gpus', 'gpu_name', 'bucket',
    'rented_verified', 'avail_verified', 'rented_unverified', 'avail_unverified',
    'rented_verified_gpus', 'avail_verified_gpus', 'rented_unverified_gpus', 'avail_unverified_gpus',
    'tflops', 'dlperf', 'rented_p10', 'rented_median', 'rented_p90', 'avail_p10', 'avail_median', 'avail_p90', 'revision'
  ]
)[table])
ORDER BY table
