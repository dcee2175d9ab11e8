-- The machines that match the filters of a request; `{{filter_machines}}` in other files. Parameters: the filters.
({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
  AND ({hosting_type:String} = 'all' OR toString(hosting_type) = {hosting_type:String})
  AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
