-- Whether the filters of a request leave price bins whole; `{{filter_unsplit}}` in other files. A bin holds enough hosts among all machines of a GPU name and a
-- value of `verified`, and may hold a single one with any other filter, so all filters but `verified` are here. Parameters: the filters.
{hosting_type:String} = 'all' AND {num_gpus:UInt16} = 0
