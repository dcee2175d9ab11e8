-- Memory and performance of each GPU name in one slot; null: not known. Performance is the 90th percentile, as in the history. Parameters: slot.
SELECT
  gpu_name, ceil(max(gpu_ram) / 1024) AS vram, quantileExactWeighted(0.9)(tflops, toUInt64(gpus)) AS tflops,
  quantileExactWeighted(0.9)(dlperf, toUInt64(gpus)) AS dlperf
FROM observations
WHERE slot = toDateTime({slot:UInt32}, 'UTC')
GROUP BY gpu_name
ORDER BY gpu_name
