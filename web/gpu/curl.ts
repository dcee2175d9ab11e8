import { base } from '../api/client.ts'
import { type MarketQuestion, marketPath } from '../api/history.ts'
import { withSource } from '../source.ts'

/** A request as a curl command that reads the key from RACKRATE_KEY, so that no key gets onto the clipboard. */
export const curlOf = (endpoint: string, question: MarketQuestion, now: number): string =>
  `curl -s -H "Authorization: Bearer $RACKRATE_KEY" '${new URL(withSource(marketPath(endpoint, question, now)), base)}'`
