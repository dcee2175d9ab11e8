-- Which of some GPUs the market had in [from, to), with any filter. Parameters: names Array(String), stored_step, from, to.
SELECT DISTINCT gpu_name
FROM cube
WHERE step = {stored_step:UInt32} AND {{filter_whole_market}}
  AND gpu_name IN {names:Array(String)}
  AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
