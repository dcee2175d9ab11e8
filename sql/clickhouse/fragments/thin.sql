-- {{host_of_machine}}: the host of a machine, for counting hosts. A machine whose host is not known counts as a host of its own.
ifNull(host_id, 0), if(host_id IS NULL, machine_id, 0)

-- {{enough_machines}}: true if a group has at least 5 machines of at least 3 hosts.
uniqUpTo(4)(machine_id) >= 5 AND uniqUpTo(2)({{host_of_machine}}) >= 3

-- {{enough_rented}}: true if the rented GPUs of a group are on at least 5 machines of at least 3 hosts, so that their prices are shown
-- (docs/numbers.md).
uniqUpToIf(4)(machine_id, rented) >= 5 AND uniqUpToIf(2)({{host_of_machine}}, rented) >= 3

-- {{rented_shown}}: true if a row of the cube for a single slot shows its prices of rented GPUs. The difference of two tiers could show the price of a
-- few contracts. Parameters: own UInt8.
({own:UInt8} = 0 OR cube.rented_thin = 'no' AND cube.verified IN ('all', 'yes', 'no'))

-- {{thin_type}}: the type of a thin mark in the cube.
'Enum8(\'unknown\' = 0, \'yes\' = 1, \'no\' = 2)'
