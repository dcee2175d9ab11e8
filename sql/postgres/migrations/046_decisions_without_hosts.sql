-- Numbers of hosts tell from slot to slot which machines share a host. Decisions were kept with them.
UPDATE autopilot_decisions SET figures = figures #- '{others,hosts}' #- '{others_of_name,hosts}'
WHERE figures -> 'others' ? 'hosts' OR figures -> 'others_of_name' ? 'hosts';
UPDATE autopilot_decisions SET reason = 'Too few machines of other hosts are available: less than 5 machines of 3 hosts say too little.' WHERE refusal = 'thin';
