-- Notes that observations before $1 (unix seconds) may be gone.
UPDATE retention SET gone_before = $1 WHERE gone_before < $1
