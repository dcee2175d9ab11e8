-- Rules on a GPU name may watch one size of memory. Those from before watch all sizes.
UPDATE alert_rules SET condition = condition || '{"gpu_memory": 0}'
WHERE condition ->> 'kind' IN ('statistic', 'event');

-- A size of memory is part of the market's filters. What the past says of it is computed in the background.
INSERT INTO backfills (what, todo_before) VALUES ('memory', 4102444800);
