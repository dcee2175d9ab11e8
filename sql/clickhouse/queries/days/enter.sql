-- Enters a day as published. Parameters: day (its start), print, print_1, print_28 (those of due.sql), revision.
INSERT INTO published_days (day, print, print_1, print_28, revision)
SELECT toDate(toDateTime({day:UInt32}, 'UTC')), {print:UInt64}, {print_1:UInt64}, {print_28:UInt64}, {revision:UInt64}
