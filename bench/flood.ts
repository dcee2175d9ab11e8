import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { cpuOfProcess, type LoadOptions, startProcesses } from './load.ts'

const execute = promisify(execFile)
const generator = createRequire(import.meta.url).resolve('#dist/bench/unwanted.js')
const readsPerSecond = 50
const floodPerSecond = 4000

/**
 * Prints the latency of a host's reads, without other load and during a flood of unknown keys and anonymous requests from other addresses.
 */
export async function measureFlood({ environment, key, seconds }: LoadOptions): Promise<void> {
  const command = ['serve', '--only', 'metrics']
  const [service] = await Promise.all(startProcesses(command, { ...environment, TRUST_PROXY: 'true' }, 1))
  if (!service) throw new Error('the service did not start')
  try {
    const read = () => measureReads(service.url, key, seconds)
    await read() // caches
    const idle = await read()
    const flood = execute(process.execPath, [generator, service.url, `${floodPerSecond}`, `${seconds + 2}`])
    const cpu = cpuOfProcess(service.child.pid)
    const flooded = await read()
    const { perSecond, refused, served } = JSON.parse((await flood).stdout)
    const each = Math.round((cpuOfProcess(service.child.pid) - cpu) / (refused + served))
    console.table({ idle, flooded })
    console.log(
      `flood: ${perSecond} requests/s, ${refused} refused, ${served} served, ${each} µs of CPU each at most\n` +
        `flooded ÷ idle: p50 ${(flooded['p50 ms'] / idle['p50 ms']).toFixed(2)}, mean ${(flooded['mean ms'] / idle['mean ms']).toFixed(2)}   (target: at most 2)`,
    )
  } finally {
    service.child.kill()
    await once(service.child, 'exit')
  }
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
