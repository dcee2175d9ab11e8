// Sends unknown keys and anonymous requests, as a stranger on another machine would: with a lower priority than the service. argv: URL,
// requests a second, seconds. Prints the results as JSON.
import { randomBytes } from 'node:crypto'
import { setPriority } from 'node:os'
import autocannon from 'autocannon'

const [url = '', rate, seconds] = process.argv.slice(2)
const address = { 'x-forwarded-for': '198.51.100.1' }

/** Mostly keys that do not exist, each a new one, and some requests without a key. */
function unwanted(n: number) {
  if (n % 10 === 0) return { path: '/openapi.json', headers: address }
  const key = `rr_${randomBytes(8).toString('hex')}_${randomBytes(32).toString('hex')}`
  return { path: '/api/v0/metrics/gpu/history', headers: { ...address, authorization: `Bearer ${key}` } }
}

setPriority(19)
const { requests, '4xx': refused } = await autocannon({
  url,
  connections: 40,
  overallRate: Number(rate),
  duration: Number(seconds),
  requests: Array.from({ length: 5000 }, (_, n) => unwanted(n)),
})
const served = requests.total - refused
console.log(JSON.stringify({ perSecond: Math.round(requests.average), refused, served }))
