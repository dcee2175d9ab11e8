-- Publishes a day of the price index: the rows that are not published yet, or not with this content, each as the next edition.
-- Parameters: day (its start), reason, revision.
INSERT INTO price_index (
  day, gpu_name, edition, reason, machines, matched_share, ln_link, machines_28, matched_share_28, ln_link_28, hash, revision
)
SELECT
  computed.day, computed.gpu_name, published.newest + 1, if(published.newest = 0, 'first publication', {reason:String}),
  computed.machines, computed.matched_share, computed.ln_link,
  computed.machines_28, computed.matched_share_28, computed.ln_link_28, computed.hash, {revision:UInt64}
FROM (SELECT * FROM price_index_rows(day = {day:UInt32})) AS computed
LEFT JOIN (
  SELECT toString(gpu_name) AS gpu_name, max(edition) AS newest, argMax(hash, edition) AS hash
  FROM price_index FINAL
  WHERE day = toDate(toDateTime({day:UInt32}, 'UTC'))
  GROUP BY gpu_name
) AS published ON computed.gpu_name = published.gpu_name
WHERE computed.hash != published.hash
