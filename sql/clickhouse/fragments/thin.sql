-- {{host_of_machine}}: the host of a machine, for counting hosts. A machine whose host is not known counts as a host of its own.
ifNull(host_id, 0), if(host_id IS NULL, machine_id, 0)

-- {{thin_type}}: the type of a thin mark in the cube.
'Enum8(\'unknown\' = 0, \'yes\' = 1, \'no\' = 2)'
