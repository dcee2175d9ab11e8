-- After a rebuild of [from, to): rows of the cube that no observation backs any more. Parameters: step, from, to, revision.
DELETE FROM /*!$database.*/cube/*!_local ON CLUSTER $cluster*/
WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
