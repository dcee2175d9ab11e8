import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import autocannon from 'autocannon'
import { type LoadOptions, startProcesses } from './load.ts'

const readsPerSecond = 50
const floodPerSecond = 4000

/** Prints what a host's reads take while nothing else happens, and while unknown keys and anonymous requests come from other addresses. */
export async function measureFlood({ environment, key, seconds }: LoadOptions): Promise<void> {
  const command = ['serve', '--only', 'metrics']
  const [service] = await Promise.all(startProcesses(command, { ...environment, TRUST_PROXY: 'true' }, 1))
  if (!service) throw new Error('the service did not start')
  try {
    const read = () => measureReads(service.url, key, seconds)
    await read() // caches
    const idle = await read()
    const flood = autocannon({
      url: service.url,
      workers: 1, // so that it does not delay the reads in this process
      connections: 40,
      overallRate: floodPerSecond,
      duration: seconds + 2,
      requests: Array.from({ length: 5000 }, (_, n) => unwanted(n)),
    })
    const flooded = await read()
    const { requests, '4xx': refused, '2xx': served } = await flood
    console.table({ idle, flooded })
    console.log(
      `flood: ${Math.round(requests.average)} requests/s, ${refused} refused, ${served} served\n` +
        `flooded ÷ idle: p50 ${(flooded['p50 ms'] / idle['p50 ms']).toFixed(2)}, mean ${(flooded['mean ms'] / idle['mean ms']).toFixed(2)}`,
    )
  } finally {
    service.child.kill()
    await once(service.child, 'exit')
  }
}

/** Mostly keys that do not exist, each another one, and some requests without a key. */
function unwanted(n: number) {
  const address = { 'x-forwarded-for': '198.51.100.1' }
  if (n % 10 === 0) return { path: '/openapi.json', headers: address }
  const key = `rr_${randomBytes(8).toString('hex')}_${randomBytes(32).toString('hex')}`
  return { path: '/api/v0/metrics/gpu/history', headers: { ...address, authorization: `Bearer ${key}` } }
}

async function measureReads(url: string, key: string, seconds: number) {
  const { latency, non2xx, errors } = await autocannon({
    url: `${url}/api/v0/metrics/gpu/history?gpu_name=RTX+4090&step=300`,
    connections: 4,
    overallRate: readsPerSecond,
    duration: seconds,
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' },
  })
  return {
    'mean ms': latency.average,
    'p50 ms': latency.p50,
    'p99 ms': latency.p99,
    failed: non2xx + errors,
  }
}
