-- Rows of terms of [from, to) that no observation backs any more. Parameters: from, to, revision.
DELETE FROM /*!$database.*/terms/*!_local ON CLUSTER $cluster*/
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
