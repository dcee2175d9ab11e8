-- Each class of machines once for every filter that it passes; `{{filter_lattice}}` in other files. filter_lattice_columns.sql selects the filters.
  ARRAY JOIN [0, if(is_verified, 1, 2)] AS verified_filter
  ARRAY JOIN arrayDistinct([0, toInt8(hosting)]) AS hosting_filter
  ARRAY JOIN [toUInt16(0), rig] AS rig_filter
  GROUP BY step, gpu_name, bucket, verified_filter, hosting_filter, rig_filter
