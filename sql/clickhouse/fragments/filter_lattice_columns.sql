-- The filters of filter_lattice.sql as columns of the cube, in its order; `{{filter_lattice_columns}}` in other files.
CAST(verified_filter, 'Enum8(\'all\' = 0, \'yes\' = 1, \'no\' = 2)') AS verified,
    CAST(hosting_filter, 'Enum8(\'all\' = 0, \'community\' = 1, \'secure_cloud\' = 2)') AS hosting_type,
    rig_filter AS num_gpus
