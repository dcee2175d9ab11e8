-- The rows of the cube without a filter; `{{filter_whole_market}}` in other files. Other rows are parts of these, so whoever adds rows up must leave them out.
verified = 'all' AND hosting_type = 'all' AND num_gpus = 0
