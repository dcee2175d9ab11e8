-- What happened to the machines of some GPU names, or without names to those of all of them together, by class and price position. All of them together
-- are not split by the size of their memory (0). The variances are from hour to hour.
-- Parameters: names Array(String), from, to (whole hours).
SELECT
  if(empty({names:Array(String)}), '', flows.gpu_name) AS gpu_name, if(empty({names:Array(String)}), 0, flows.gpu_memory) AS gpu_memory, {{class_columns}}, position,
  {{fill_sums}}
FROM flows FINAL
WHERE (empty({names:Array(String)}) OR flows.gpu_name IN {names:Array(String)})
  AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
GROUP BY gpu_name, gpu_memory, {{class_columns}}, position
