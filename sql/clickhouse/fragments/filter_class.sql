-- What filter_classes.sql names; `{{filter_class}}` in other files.
is_verified, hosting, rig
