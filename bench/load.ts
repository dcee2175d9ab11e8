import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import autocannon from 'autocannon'

export interface LoadOptions {
  /** The environment of the processes. */
  environment: Record<string, string>
  key: string
  seconds: number
}

const { resolve } = createRequire(import.meta.url)
const processes = 2
const connections = 32

// The requests of a page of charts: most of them are the same for all visitors, some are new.
const questions = [
  'gpu_name=RTX+4090&step=300',
  'gpu_name=RTX+5090,RTX+4090,RTX+3090&step=3600',
  'gpu_name=H100+SXM,H200,A100+SXM4&verified=all&step=900',
  'gpu_name=all&step=86400',
  'gpu_name=RTX+4090&hosting_type=community&num_gpus=4&step=3600',
]

/** Prints the requests per second of two API processes, for a mix of history requests and for a constant of the same size. */
export async function measureLoad({ environment, key, seconds }: LoadOptions): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' }
  const services = await Promise.all(startProcesses(['serve', '--only', 'metrics'], environment))
  try {
    const urls = services.map(({ url }) => url)
    const paths = questions.map((question) => `/api/v0/metrics/gpu/history?${question}`)
    const sizes = await Promise.all(paths.map((path) => sizeOf(`${urls[0]}${path}`, headers)))
    const size = Math.round(sizes.reduce((sum, bytes) => sum + bytes, 0) / sizes.length)

    const memory = [memoryOf(urls)]
    const watching = setInterval(() => memory.push(memoryOf(urls)), (seconds * 1000) / 6)
    const mix = await load(services, { headers, requests: paths.map((path) => ({ path })), seconds })
    clearInterval(watching)
    memory.push(memoryOf(urls))

    const constants = await Promise.all(start([resolve('#dist/bench/constant.js'), `${size}`], {}))
    const constant = await load(constants, {
      headers,
      requests: [{ path: '/' }],
      seconds: Math.min(seconds, 15),
    })
    for (const { child } of constants) child.kill()

    console.table({ 'history, a mix': mix, [`a constant of ${size} bytes`]: constant })
    console.log(
      `history ÷ constant, requests/s    ${(mix['requests/s'] / constant['requests/s']).toFixed(2)}   (target: at least 0.8)\n` +
        `constant ÷ history, CPU           ${(constant['CPU µs'] / mix['CPU µs']).toFixed(2)}`,
    )
    console.log(
      `memory of the processes meanwhile (MB)   ${(await Promise.all(memory)).map((each) => each.join(' + ')).join(' → ')}`,
    )
  } finally {
    for (const { child } of services) child.kill()
    await Promise.all(services.map(({ child }) => once(child, 'exit')))
  }
}

interface Started {
  child: ChildProcess
  url: string
}

/** Processes of the command line, each with its address once it prints it. */
export const startProcesses = (command: string[], environment: Record<string, string>, count = processes) =>
  start([resolve('#dist/cli/rackrate.js'), ...command], environment, count)

const start = (
  command: string[],
  environment: Record<string, string>,
  count = processes,
): Promise<Started>[] =>
  Array.from({ length: count }, async () => {
    const child = spawn(process.execPath, command, {
      cwd: tmpdir(), // not in this folder, where a .env would be read
      env: { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'silent', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const text of child.stdout.setEncoding('utf8')) {
      const url = /http:\/\/\S+/.exec(text)?.[0]
      if (url) return { child, url }
    }
    throw new Error(`${command.join(' ')} ended without an address`)
  })

async function sizeOf(url: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  const length = Number(response.headers.get('content-length'))
  await response.arrayBuffer()
  return length
}

async function memoryOf(urls: readonly string[]): Promise<number[]> {
  return Promise.all(
    urls.map(async (url) => {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Math.round(Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 1e6)
    }),
  )
}

interface Load {
  headers: Record<string, string>
  requests: { path: string }[]
  seconds: number
}

/** CPU time of the processes, in microseconds; 0 if the system does not report it. */
const cpuOf = (processes: readonly Started[]): number =>
  process.platform === 'linux' ? processes.reduce((sum, { child }) => sum + cpuOfProcess(child.pid), 0) : 0

/** Includes children that have ended. The system counts ticks of 10 ms. */
export function cpuOfProcess(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10_000
}

async function load(processes: readonly Started[], { headers, requests, seconds }: Load) {
  const before = cpuOf(processes)
  const {
    requests: served,
    latency,
    non2xx,
    errors,
  } = await autocannon({
    url: processes.map(({ url }) => url) as unknown as string, // an array is accepted, too
    connections,
    duration: seconds,
    headers,
    requests,
  })
  return {
    'requests/s': Math.round(served.average),
    'p50 ms': latency.p50,
    'p99 ms': latency.p99,
    'CPU µs': Math.round((cpuOf(processes) - before) / served.total),
    failed: non2xx + errors,
  }
}
