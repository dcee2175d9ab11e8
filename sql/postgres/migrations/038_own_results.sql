-- Rules that were written before own results could count go on as they were.
UPDATE autopilot_rules SET settings = jsonb_set(settings, '{target,own_results}', 'null') WHERE settings -> 'target' ->> 'kind' = 'recommended';
