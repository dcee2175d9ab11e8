-- The rows of the cube for the filters of a request; `{{cube}}` in other files. Parameters: verified, hosting_type, num_gpus.
verified = {verified:String} AND hosting_type = {hosting_type:String} AND num_gpus = {num_gpus:UInt16}
