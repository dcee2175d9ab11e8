-- The rows of the cube for the filters of a request; `{{filter_cube}}` in other files. Parameters: the filters.
verified = {verified:String} AND hosting_type = {hosting_type:String} AND num_gpus = {num_gpus:UInt16}
