-- The tables without seals that have a row newer than `newest`, the last revision that was given out. Parameters: newest.
SELECT table, revision FROM (
  SELECT 'slots' AS table, max(s.revision) AS revision FROM slots AS s
  UNION ALL
  SELECT 'price_histogram', max(h.revision) FROM price_histogram AS h
  UNION ALL
  SELECT 'price_steps', max(p.revision) FROM price_steps AS p
  UNION ALL
  SELECT 'cube', max(c.revision) FROM cube AS c
  UNION ALL
  SELECT 'flows', max(f.revision) FROM flows AS f
  UNION ALL
  SELECT 'terms', max(t.revision) FROM terms AS t
  UNION ALL
  SELECT 'machine_days', max(m.revision) FROM machine_days AS m
)
WHERE revision > {newest:UInt64}
ORDER BY table
