-- What the filters of the market mean to statements. A new filter goes into each part.

-- {{filter_columns}}: the properties of a machine that filters choose, in the order of the cube.
verified, hosting_type, num_gpus

-- {{filter_machines}}: the machines that match the filters of a request. Parameters: the filters.
({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
  AND ({hosting_type:String} = 'all' OR toString(hosting_type) = {hosting_type:String})
  AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})

-- {{filter_cube}}: the rows of the cube for the filters of a request. Parameters: the filters.
verified = {verified:String} AND hosting_type = {hosting_type:String} AND num_gpus = {num_gpus:UInt16}

-- {{filter_whole_market}}: the rows of the cube without a filter. Other rows are parts of these, so whoever adds rows up must leave them out.
verified = 'all' AND hosting_type = 'all' AND num_gpus = 0

-- {{filter_lists}}: whether a row of the cube has one of some filters of GPU names, whose lists belong together element by element. Parameters: gpus
-- Array(String), and a list of each filter.
(gpu_name, toString(cube.verified), toString(cube.hosting_type), num_gpus)
    IN arrayZip({gpus:Array(String)}, {verified:Array(String)}, {hosting_type:Array(String)}, {num_gpus:Array(UInt16)})

-- {{filter_unsplit}}: whether the filters of a request leave price bins whole. A bin holds enough hosts among all machines of a GPU name and a value
-- of `verified`, and may hold a single one with any other filter, so all filters but `verified` are here. Parameters: the filters.
{hosting_type:String} = 'all' AND {num_gpus:UInt16} = 0

-- {{filter_one_class}}: the machines of one class. Parameters: its properties.
verified = {verified:Bool} AND toString(hosting_type) = {hosting_type:String} AND num_gpus = {num_gpus:UInt16}

-- {{filter_classes}}: the class of a machine: its properties under names that are none of the cube's columns. filter_class groups by them.
verified AS is_verified, hosting_type AS hosting, num_gpus AS rig

-- {{filter_class}}: what filter_classes names.
is_verified, hosting, rig

-- {{filter_lattice}}: each class of machines once for every filter that it passes. filter_lattice_columns selects the filters.
  ARRAY JOIN [0, if(is_verified, 1, 2)] AS verified_filter
  ARRAY JOIN arrayDistinct([0, toInt8(hosting)]) AS hosting_filter
  ARRAY JOIN [toUInt16(0), rig] AS rig_filter
  GROUP BY step, gpu_name, bucket, verified_filter, hosting_filter, rig_filter

-- {{filter_lattice_columns}}: the filters of filter_lattice as columns of the cube, in its order.
CAST(verified_filter, 'Enum8(\'all\' = 0, \'yes\' = 1, \'no\' = 2)') AS verified,
    CAST(hosting_filter, 'Enum8(\'all\' = 0, \'community\' = 1, \'secure_cloud\' = 2)') AS hosting_type,
    rig_filter AS num_gpus
