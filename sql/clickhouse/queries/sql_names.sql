-- The names in a statement, functions among them, as ClickHouse's own lexer reads them: quoted ones with their quotes. {query:String}
SELECT arrayJoin(arrayDistinct(arrayMap(
  token -> substring({query:String}, token.begin + 1, token.end - token.begin),
  arrayFilter(token -> token.type IN ('BareWord', 'QuotedIdentifier'), tokenizeQuery({query:String}))
))) AS name
