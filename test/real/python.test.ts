import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAll } from '../../ingest/load.ts'
import { needs } from '../needs.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { findPython } from '../python.ts'
import { spool } from '../random-market.ts'
import { startServer, type TestServer } from '../server.ts'

// The Python client, run by a real Python. Debian's has pandas.
const folder = new URL('../../client/python/', import.meta.url).pathname
const program = findPython()
const withPandas = findPython('pandas')
needs(program !== undefined, 'no Python of at least 3.11 is installed, so its client is not tested')
needs(
  withPandas !== undefined,
  'no pandas is installed, so the data frames of the Python client are not tested',
)

const newest = Math.floor(Date.now() / 300_000) * 300 - 300
const seen = (slot: number, price: number): MachineAtSlot => ({
  slot,
  machine: 1,
  gpu: 'RTX 4090',
  rig: 4,
  verified: true,
  hosting: 'community' as const,
  free: 4,
  price,
  rented: [],
  tflops: 80,
  dlperf: 90,
})

let server: TestServer
let url: string
beforeAll(async () => {
  server = await startServer()
  for (const [slot, price] of [
    [newest - 300, 0.4],
    [newest, 0.5],
  ] as const)
    await spool(server.postgres, slot, [seen(slot, price)])
  await loadAll(server)
  url = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server?.close())

/** Runs statements with a client, and returns what they print as JSON. */
async function run(python: string | undefined, lines: string[], key = server.adminKey): Promise<unknown> {
  const text = ['import json, rackrate', 'client = rackrate.Client()', ...lines].join('\n')
  const env = { ...process.env, PYTHONPATH: folder, RACKRATE_URL: url, RACKRATE_KEY: key }
  const { stdout } = await promisify(execFile)(python ?? '', ['-c', text], { env })
  return JSON.parse(stdout)
}

describe.skipIf(!program)('the Python client', () => {
  it('asks as the API is documented, and answers what it answers', async () => {
    const found = await run(program, [
      `answer = client.get_gpu_history(gpu_name=["RTX 4090", "none"], verified="all", start=${newest - 3600}, end=${newest + 300}, step=300)`,
      'print(json.dumps(answer))',
    ])
    const { body } = await server.get(
      `/api/v0/metrics/gpu/history?gpu_name=RTX+4090,none&verified=all&start=${newest - 3600}&end=${newest + 300}&step=300`,
    )
    expect(found).toEqual(body)
    expect(found).toMatchObject({ gpus: { 'RTX 4090': { pricing: { avail_median: [0.4, 0.5] } } } })
  })

  it('reports a refusal of the service', async () => {
    const lines = (call: string) => [
      'try:',
      `    ${call}`,
      'except rackrate.RackrateError as e:',
      '    print(json.dumps([e.status, e.error, bool(e.message)]))',
    ]
    expect(await run(program, lines('client.get_gpu_history(gpu_name="x", step=-1)'))).toEqual([
      400,
      'invalid_args',
      true,
    ])
    expect(await run(program, lines('client.list_gpu_names()'), 'rr_no_key')).toEqual([
      401,
      'auth_error',
      true,
    ])
    expect(await run(program, lines('rackrate.Client("http://127.0.0.1:1").list_gpu_names()'))).toEqual([
      null,
      'unreachable',
      true,
    ])
  })

  it('sends bodies and parts of paths', async () => {
    const name = 'key of / python'
    const found = await run(program, [
      `made = client.create_api_key({"name": ${JSON.stringify(name)}})`,
      'names = [key["name"] for key in client.list_api_keys()["apikeys"]]',
      'client.revoke_api_key(made["id"])',
      'print(json.dumps([names, [key["name"] for key in client.list_api_keys()["apikeys"]]]))',
    ])
    const [before, after] = found as [string[], string[]]
    expect(before).toContain(name)
    expect(after).not.toContain(name)
  })

  it('has types that resolve', async () => {
    const found = await run(program, [
      'import typing, rackrate.api as api',
      'calls = [call for name, call in vars(api.Client).items() if not name.startswith("_")]',
      'print(json.dumps(sum(len(typing.get_type_hints(call, vars(api))) > 0 for call in calls)))',
    ])
    expect(found).toBeGreaterThan(100)
  })
})

it.skipIf(!withPandas)('data frames have a row for each time, price or object', async () => {
  const shapes = await run(withPandas, [
    `history = rackrate.to_pandas(client.get_gpu_history(gpu_name="RTX 4090", verified="all", start=${newest - 3600}, end=${newest + 300}, step=300))`,
    'names = rackrate.to_pandas(client.list_gpu_names())',
    'depth = rackrate.to_pandas(client.get_gpu_depth(gpu_name="RTX 4090", verified="all"))',
    'none = rackrate.to_pandas(client.get_gpu_history(gpu_name="none"))',
    'print(json.dumps([history["pricing.avail_median"].tolist(), str(history.index[-1]), history["gpu_name"].tolist(), names["name"].tolist(), depth["price"].tolist(), len(none)]))',
  ])
  expect(shapes).toEqual([
    [0.4, 0.5],
    new Date(newest * 1000).toISOString().replace('T', ' ').replace('.000Z', '+00:00'),
    ['RTX 4090', 'RTX 4090'],
    ['RTX 4090'],
    [0.5],
    0,
  ])
})

it.skipIf(!withPandas)('the example of its README runs', async () => {
  const readme = readFileSync(`${folder}README.md`, 'utf8')
  const example = /```python\n(.*?)```/s.exec(readme)?.[1] ?? ''
  const lines = example
    .replace(/Client\(".*?\)/, 'Client()')
    .replace('print(', 'found = (')
    .split('\n')
  expect(await run(withPandas, [...lines, 'print(json.dumps(len(found)))'])).toBeGreaterThan(0)
})
