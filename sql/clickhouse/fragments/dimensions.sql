-- The properties of a machine by which prices are counted, and filters choose; `{{dimensions}}` in other files.
num_gpus, verified, hosting_type
