-- The price bins of all that there is are computed in the background. The market of a source has none: what is rented there is public.
INSERT INTO backfills (what, todo_before)
SELECT 'bins', 4102444800 WHERE NOT EXISTS (SELECT FROM collector);
