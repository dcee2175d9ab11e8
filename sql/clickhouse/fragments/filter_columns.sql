-- The properties of a machine that filters choose, in the order of the cube; `{{filter_columns}}` in other files.
verified, hosting_type, num_gpus
