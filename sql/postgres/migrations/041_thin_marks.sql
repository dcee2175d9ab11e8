-- The thin marks of the cube of all that there is are computed in the background.
INSERT INTO backfills (what, todo_before) VALUES ('thin', 4102444800);
