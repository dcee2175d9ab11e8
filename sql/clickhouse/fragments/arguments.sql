-- The filters of a request as arguments of a view; `{{arguments}}` in other files. Parameters: verified, hosting_type, num_gpus.
verified = {verified:String}, hosting_type = {hosting_type:String}, num_gpus = {num_gpus:UInt16}
