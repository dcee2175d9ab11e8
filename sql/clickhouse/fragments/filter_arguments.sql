-- The filters of a request as arguments of a view; `{{filter_arguments}}` in other files. Parameters: the filters.
verified = {verified:String}, hosting_type = {hosting_type:String}, num_gpus = {num_gpus:UInt16}
