-- What machines cost their hosts. A host's row without a machine holds for all of its machines, and that of a machine field by field before it.
-- NULL: not known, which is not 0.
CREATE TABLE machine_costs (
  account_id      integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
  machine_id      integer REFERENCES machines ON DELETE CASCADE,           -- NULL: all machines of the account
  kwh_price       numeric CHECK (kwh_price >= 0),                          -- USD
  watts_idle      numeric CHECK (watts_idle >= 0),                         -- of the whole machine, with no GPU rented
  watts_load      numeric CHECK (watts_load >= watts_idle),                -- with all of them rented
  fee_percent     numeric CHECK (fee_percent >= 0 AND fee_percent < 100),  -- of what renters pay
  other_per_month numeric CHECK (other_per_month >= 0),                    -- USD
  purchase_price  numeric CHECK (purchase_price >= 0),                     -- USD
  months          numeric CHECK (months > 0),                              -- how long it is used
  CHECK ((watts_idle IS NULL) = (watts_load IS NULL)),
  UNIQUE NULLS NOT DISTINCT (account_id, machine_id)
);
CREATE INDEX machine_costs_machine ON machine_costs (machine_id);
