-- After a rebuild of [from, to): price steps that no observation backs any more. Parameters: step, from, to, revision.
DELETE FROM /*!$database.*/price_steps/*!_local ON CLUSTER $cluster*/
WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
