-- The imports that rows of an import contradict, and the first such row. Parameters: those of judged_rows.sql.
SELECT opposed AS import_id, count() AS observations, argMin(file, place) AS file, argMin(line, place) AS line
FROM (
  $judged_rows
)
WHERE verdict = 'contrary'
GROUP BY import_id
ORDER BY observations DESC
