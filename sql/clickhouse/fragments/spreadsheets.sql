-- {{cell_text}}: a function of a text that a market or a catalog gives. In CSV, a text that a spreadsheet would compute begins with an apostrophe.
-- Parameter: csv.
text -> if({csv:UInt8} AND (match(text, '^[=@\\t\\r\\n]') OR match(text, '^[+-]') AND toFloat64OrNull(text) IS NULL), concat('\'', text), text)
