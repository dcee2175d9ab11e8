-- The class of a machine: its properties under names that are none of the cube's columns; `{{filter_classes}}` in other files. filter_class.sql groups by them.
verified AS is_verified, hosting_type AS hosting, num_gpus AS rig
