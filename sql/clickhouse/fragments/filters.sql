-- The filters of the market, as parts of statements. A new filter goes into each part.

-- {{filter_columns}}: the properties of a machine that filters choose, in the order of the cube.
verified, hosting_type, num_gpus, gpu_memory

-- {{machine_columns}}: filter_columns and the tier of the host, in tables whose rows are of machines. The cube has tiers among the values of `verified`.
verified, tier, hosting_type, num_gpus, gpu_memory

-- {{class_columns}}: the properties by which a class is widened. The size of memory is left out: without a GPU name it does not compare machines.
verified, hosting_type, num_gpus

-- {{filter_machines}}: the machines that match the filters of a request. `verified` is yes, no, all, or the tier of machines that are not verified.
-- Parameters: the filters.
(
  {verified:String} = 'all'
  OR if({verified:String} IN ('yes', 'no'), verified = ({verified:String} = 'yes'), NOT verified AND toString(tier) = {verified:String})
)
  AND ({hosting_type:String} = 'all' OR toString(hosting_type) = {hosting_type:String})
  AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
  AND ({gpu_memory:UInt16} = 0 OR gpu_memory = {gpu_memory:UInt16})

-- {{filter_machine_days}}: filter_machines, for rows of machine_days, whose `verified` is a word: `no` where the tier is not known. Parameters: the
-- filters.
({verified:String} = 'all' OR multiIf(
    {verified:String} = 'no', verified NOT IN ('unknown', 'yes'),
    {verified:String} = 'unknown', verified = 'no',
    toString(verified) = {verified:String}
  ))
  AND ({hosting_type:String} = 'all' OR toString(hosting_type) = {hosting_type:String})
  AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
  AND ({gpu_memory:UInt16} = 0 OR gpu_memory = {gpu_memory:UInt16})

-- {{filter_cube}}: the rows of the cube for the filters of a request. A bucket in which a GPU name has one size of memory has a row without this filter
-- only, and `only_memory` has the size. Parameters: the filters.
verified = {verified:String} AND hosting_type = {hosting_type:String} AND num_gpus = {num_gpus:UInt16}
  AND (gpu_memory = {gpu_memory:UInt16} OR gpu_memory = 0 AND only_memory = {gpu_memory:UInt16})

-- {{filter_whole_market}}: the rows of the cube without a filter. Other rows are parts of these, so a sum over rows must leave the others out.
verified = 'all' AND hosting_type = 'all' AND num_gpus = 0 AND gpu_memory = 0

-- {{filter_all_sizes}}: the rows of the cube without a filter, and the rows that have only the filter gpu_memory.
verified = 'all' AND hosting_type = 'all' AND num_gpus = 0

-- {{filter_lists}}: true for rows of the cube that answer one of several requests, matched as in filter_cube. Element n of every list belongs to
-- request n. Parameters: gpus Array(String), and a list of each filter.
(
  (gpu_name, toString(cube.verified), toString(cube.hosting_type), num_gpus, gpu_memory)
    IN arrayZip({gpus:Array(String)}, {verified:Array(String)}, {hosting_type:Array(String)}, {num_gpus:Array(UInt16)}, {gpu_memory:Array(UInt16)})
  OR gpu_memory = 0 AND (gpu_name, toString(cube.verified), toString(cube.hosting_type), num_gpus, only_memory)
    IN arrayZip({gpus:Array(String)}, {verified:Array(String)}, {hosting_type:Array(String)}, {num_gpus:Array(UInt16)}, {gpu_memory:Array(UInt16)})
)

-- {{one_class}}: the machines of one class, for statements that select the GPU name and the size of memory themselves. Parameters: its other
-- properties; num_gpus 0 is of all rig sizes.
verified = {verified:Bool} AND toString(hosting_type) = {hosting_type:String} AND {num_gpus:UInt16} IN (0, num_gpus)

-- {{filter_classes}}: the class of a machine: its properties, renamed so that they do not collide with columns of the cube. filter_class groups by
-- them.
verified AS is_verified, tier AS host_tier, hosting_type AS hosting, num_gpus AS rig, gpu_memory AS memory

-- {{filter_class}}: the names that filter_classes gives.
is_verified, host_tier, hosting, rig, memory

-- {{one_size}}: the one size of memory of a GPU name in a bucket, or 0 if there are several or none is known. For filter_lattice.
if(min(memory) OVER sizes = max(memory) OVER sizes, memory, 0) AS one_size,
      min(memory) OVER sizes != max(memory) OVER sizes AS is_mixed

-- {{filter_lattice}}: each class of machines once for every filter that it passes. filter_lattice_columns selects the filters. A size of memory has
-- its own rows only if the GPU name has several sizes. The sizes come first: each ARRAY JOIN copies all rows. A tier of hosts that are not verified has
-- rows of all hosting types and rig sizes only: with each of them the cube would have half as many rows again.
  ARRAY JOIN if(is_mixed, arrayDistinct([toUInt16(0), memory]), [toUInt16(0)]) AS memory_filter
  ARRAY JOIN arrayDistinct([0, toInt8(hosting)]) AS hosting_filter
  ARRAY JOIN [toUInt16(0), rig] AS rig_filter
  ARRAY JOIN multiIf(
    is_verified, [0, 1],
    hosting_filter != 0 OR rig_filter != 0, [0, 2],
    [0, 2, multiIf(host_tier = 'unverified', 3, host_tier = 'deverified', 4, 5)]
  ) AS verified_filter
  GROUP BY step, gpu_name, bucket, verified_filter, hosting_filter, rig_filter, memory_filter

-- {{filter_lattice_columns}}: the filters of filter_lattice as columns of the cube, in its order.
CAST(verified_filter, 'Enum8(\'all\' = 0, \'yes\' = 1, \'no\' = 2, \'unverified\' = 3, \'deverified\' = 4, \'unknown\' = 5)') AS verified,
    CAST(hosting_filter AS Enum8('all' = 0, {{hosting_types}})) AS hosting_type,
    rig_filter AS num_gpus,
    memory_filter AS gpu_memory

-- {{hosting_types}}: the hosting types with their numbers, as in the columns of the tables.
'community' = 1, 'secure_cloud' = 2

-- {{tier_type}}: the tiers of hosts with their numbers, as in the columns of the tables.
Enum8('unknown' = 0, 'verified' = 1, 'unverified' = 2, 'deverified' = 3)

-- {{is_datacenter}}: true for machines of a data center.
hosting_type = 'secure_cloud'
