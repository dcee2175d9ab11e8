-- The rentals of an own machine, as the marketplace shows them to the key.
ALTER TABLE claim_machines
  ADD rented_until bigint,            -- unix seconds: when the last running contract ends; NULL: none, or not shown
  ADD running      integer,           -- running rentals
  ADD earn_hour    numeric;           -- USD per hour that the machine earns now
