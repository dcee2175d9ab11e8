-- The first rows of an import that are left out, in their order. Parameters: those of judged_rows.sql, most.
SELECT file, line, fault AS reason
FROM (
  $judged_rows
)
WHERE verdict = 'odd'
ORDER BY place
LIMIT {most:UInt32}
