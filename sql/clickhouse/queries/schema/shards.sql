-- How many shards a cluster has, by their weights, and how many of them have replicas without internal replication. Parameters: cluster.
SELECT sum(weight) AS shards, countIf(replicas > 1 AND NOT replicates) AS unreplicated
FROM (
  SELECT any(shard_weight) AS weight, count() AS replicas, min(internal_replication) AS replicates
  FROM system.clusters
  WHERE cluster = {cluster:String}
  GROUP BY shard_num
)
