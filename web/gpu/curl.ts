import { base } from '../api/client.ts'
import { type MarketQuestion, marketPath } from '../api/history.ts'
import { withSource } from '../source.ts'

/** A question for a terminal with the key in RACKRATE_KEY: keys are kept off the clipboard. */
export const curlOf = (endpoint: string, question: MarketQuestion, now: number): string =>
  `curl -s -H "Authorization: Bearer $RACKRATE_KEY" '${new URL(withSource(marketPath(endpoint, question, now)), base)}'`
