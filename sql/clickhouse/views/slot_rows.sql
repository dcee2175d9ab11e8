-- The cube's rows of step 1: each slot of [from, to) by itself, from the observations.
-- The view that it reads is named with its database: ClickHouse would look for it in that of whoever asks, and fills in names of tables only.
-- Parameters: from UInt32, to UInt32 (unix seconds).
CREATE OR REPLACE VIEW /*!$database.*/slot_rows/*!_local ON CLUSTER $cluster*/ AS
SELECT *
FROM $database.figures/*!_local*/(steps = [1], from = {from:UInt32}, to = {to:UInt32}, hourly = false)
