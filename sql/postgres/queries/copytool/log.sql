-- The log of a copy; no row until there is one. $1 id of the result
SELECT log FROM host_tasks WHERE result_id = $1 AND log IS NOT NULL
