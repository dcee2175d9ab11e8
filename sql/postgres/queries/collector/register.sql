-- Makes a source that of this site, unless the site has one, or records a marketplace of its own. $1 the name of the source; $2 whether it takes
-- the place of another one
INSERT INTO collector (source)
SELECT $1::text
WHERE NOT EXISTS (SELECT FROM simulation)
  AND ($2 OR NOT EXISTS (SELECT FROM machines) AND NOT EXISTS (SELECT FROM snapshots WHERE observations > 0))
ON CONFLICT (one) DO UPDATE SET source = $1, validators = NULL, ask_after = 0 WHERE $2 AND collector.source <> $1
