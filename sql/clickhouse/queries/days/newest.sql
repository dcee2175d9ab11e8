-- Changes whenever a day is published. No parameters.
SELECT max(revision) AS published FROM published_days
