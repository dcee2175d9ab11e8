-- Computes the terms of the slots in [from, to) and of the market's next. The view has the columns of terms, in their order.
-- Parameters: from, to, since, revision.
INSERT INTO terms
SELECT *, {revision:UInt64}
FROM term_rows(from = {from:UInt32}, to = {to:UInt32}, since = {since:UInt32})
