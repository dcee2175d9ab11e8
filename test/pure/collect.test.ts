import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../cli/system-clock.ts'
import { readList } from '../../collect/json-list.ts'
import { type CollectedMarket, openMarket } from '../../collect/market.ts'
import { openSource as openPaced, type SourceOptions } from '../../collect/open-source.ts'
import { bounded, retryTime, wayTo } from '../../collect/request.ts'
import type { SourceAnswer } from '../../collect/source.ts'
import { readSources } from '../../collect/sources.ts'
import type { Observation } from '../../import/observation.ts'
import { publicLookup, RefusedAddress } from '../../platform/security/public-lookup.ts'
import { realData } from '../data.ts'
import {
  csvOf,
  expectedRows,
  faults,
  machinesOf,
  offersBetween,
  offersOf,
  openStandIn,
  type Rig,
  rigsAt,
  type StandIn,
} from '../stand-in.ts'

const slot = 1_795_000_200

let standIn: StandIn
beforeAll(async () => {
  standIn = await openStandIn()
})
afterAll(() => standIn.close())
beforeEach(() => {
  Object.assign(standIn, { rigs: rigsAt(40), time: slot, fault: undefined, requests: [] })
})

/** A source that waits between its searches for no time. */
const openSource = (text: string, options: SourceOptions) =>
  openPaced(text, { ...options, pause: () => Promise.resolve() })

const columns = [
  'slot',
  'machine_id',
  'gpu_name',
  'num_gpus',
  'gpus',
  'machines',
  'rented',
  'verified',
  'hosting_type',
  'price',
  'tflops',
  'dlperf',
  'source',
  'host_id',
  'country',
  'gpu_ram',
  'rental_type',
  'min_gpus',
  'terms',
  'specs',
  'tier',
  'carried',
]
const rowsOf = ({ lines }: CollectedMarket): Record<string, unknown>[] =>
  lines.map((line) =>
    Object.fromEntries(JSON.parse(line).map((value: unknown, index: number) => [columns[index], value])),
  )

const fetchMarket = (
  text: string,
  { map, signal }: { map?: string; signal?: AbortSignal } = {},
): Promise<SourceAnswer> =>
  openSource(text, { map, contact: 'me@example.com' }).fetchMarket({
    slot,
    interval: 300,
    clock: systemClock,
    validators: undefined,
    signal: signal ?? new AbortController().signal,
  })
async function marketOf(text: string, map?: string): Promise<CollectedMarket> {
  const answer = await fetchMarket(text, { ...(map && { map }) })
  if (answer.unchanged) throw new Error('unchanged')
  return answer.market
}
const rows = (rigs: readonly Rig[]) => expectedRows(rigs).map((row) => expect.objectContaining(row))

describe.each(['exporter', 'vast'])('%s', (kind) => {
  it('has the whole market, free and rented', async () => {
    const market = await marketOf(`${kind}=${standIn.url}`)
    expect(rowsOf(market)).toEqual(rows(standIn.rigs))
    expect(market).toMatchObject({ machines: 40, rejected: 0 })
    expect(rowsOf(market).find(({ machine_id }) => machine_id === 1003)).toEqual({
      slot,
      machine_id: 1003,
      gpu_name: 'RTX 4090',
      num_gpus: 8,
      gpus: 5,
      machines: 1,
      rented: false,
      verified: true,
      hosting_type: 'secure_cloud',
      price: 0.26,
      tflops: 80,
      dlperf: 100,
      source: 'market',
      host_id: 53,
      country: 'US',
      gpu_ram: 24_564,
      rental_type: 'on_demand',
      min_gpus: 1,
      terms: '[0.13,1798734448,0.3,0.99,0.15,0.002,0]',
      specs:
        '[900,950,null,null,"AMD EPYC 7702 64-Core Processor",null,null,null,null,null,null,null,null,1]',
      tier: 'verified',
      carried: 0,
    })
    expect(standIn.requests).toHaveLength(1)
    expect(standIn.requests[0]?.headers['user-agent']).toBe('rackrate (+me@example.com)')
  })

  it('has a machine without a spec that is not possible, and counts it', async () => {
    standIn.fault = (response, body) => {
      const { count, ...document } = JSON.parse(body)
      const offers = document.offers.map((offer: Record<string, unknown>) =>
        offer.machine_id === 1003
          ? { ...offer, inet_up: 1e9, inet_down: -5, cpu_name: 'x'.repeat(10_000) }
          : offer,
      )
      response.end(JSON.stringify({ ...document, ...(count && { count }), offers }))
    }
    const market = await marketOf(`${kind}=${standIn.url}`)
    expect(market).toMatchObject({ machines: 40, rejected: 0 })
    const found = rowsOf(market).filter(({ machine_id }) => machine_id === 1003)
    expect(found.map(({ specs }) => JSON.parse(String(specs)).slice(0, 5))).toEqual(
      found.map(() => [null, null, null, null, null]),
    )
    expect(market.reasons).toEqual({
      'inet_up is not a possible value': 1,
      'inet_down is not a possible value': 1,
      'cpu_name is not a possible value': 1,
    })
  })

  it.each(Object.entries(faults))('refuses %s', async (_name, [fault, problem]) => {
    standIn.fault = fault
    const answer = fetchMarket(`${kind}=${standIn.url}`).then((answer) => {
      if (answer.unchanged) throw new Error('unchanged')
      const { machines, reasons } = answer.market
      const [reason] = Object.keys(reasons)
      throw new Error(machines > 0 ? 'there are machines' : `no usable machine: ${reason}`)
    })
    await expect(answer).rejects.toThrow(problem)
  })

  it('ends when it is aborted, and reports an unchanged market', async () => {
    const { url } = standIn
    standIn.fault = (response) => response.write('{"offers": [')
    await expect(fetchMarket(`${kind}=${url}`, { signal: AbortSignal.timeout(200) })).rejects.toThrow(
      /abort|timeout/i,
    )

    standIn.fault = undefined
    const source = openSource(`${kind}=${url}`, {})
    const { signal } = new AbortController()
    const answer = await source.fetchMarket({
      slot,
      interval: 300,
      clock: systemClock,
      validators: undefined,
      signal,
    })
    const { validators } = answer as Extract<SourceAnswer, { unchanged: false }>
    expect(await source.fetchMarket({ slot, interval: 300, clock: systemClock, validators, signal })).toEqual(
      {
        unchanged: true,
      },
    )
    standIn.rigs = rigsAt(41)
    expect(
      await source.fetchMarket({ slot, interval: 300, clock: systemClock, validators, signal }),
    ).toMatchObject({
      unchanged: false,
    })
  })
})

it('an answer of more than 256 MB is cut', async () => {
  const piece = new Uint8Array(16 * 1024 * 1024)
  const read = async (pieces: number) => {
    let bytes = 0
    for await (const { byteLength } of bounded(Array.from({ length: pieces }, () => piece)))
      bytes += byteLength
    return bytes
  }
  expect(await read(16)).toBe(256 * 1024 * 1024)
  await expect(read(17)).rejects.toThrow('The answer is larger than 256 MB.')
})

it('an exporter that lists another number of machines than it announces is refused', async () => {
  standIn.fault = (response, body) => response.end(body.replace('"count":40', '"count":41'))
  await expect(fetchMarket(`exporter=${standIn.url}`)).rejects.toThrow('announces 41 machines but lists 40')
})

/** A free GPU of a machine. */
const observation: Observation = {
  slot,
  machine_id: 1,
  gpu_name: 'T4',
  num_gpus: 1,
  gpus: 1,
  rented: false,
  verified: false,
  hosting_type: 'community',
  price: '1',
  tflops: null,
  dlperf: null,
  host_id: null,
  country: '',
  gpu_ram: null,
  rental_type: 'unknown',
  min_gpus: null,
  terms: '',
  specs: '',
  tier: 'unknown',
}

describe('a market', () => {
  const withRows = (change: (offers: Record<string, unknown>[]) => Record<string, unknown>[]) => {
    standIn.fault = (response, body) => {
      const { count: _, ...document } = JSON.parse(body)
      response.end(JSON.stringify({ ...document, offers: change(document.offers) }))
    }
    return marketOf(`exporter=${standIn.url}`)
  }
  const without = (id: number) => rows(standIn.rigs.filter((rig) => rig.id !== id))

  it('has a machine that is listed twice once', async () => {
    const market = await withRows((offers) => [...offers, ...offers.slice(0, 3)])
    expect(rowsOf(market)).toEqual(rows(standIn.rigs))
    expect(market.reasons).toEqual({ 'a machine is there twice': 3 })
  })

  it.each([
    ['two owners', { host_id: 999 }, 'a machine is listed twice, with different values of host_id'],
    ['two names', { gpu_name: 'A100' }, 'a machine is listed twice, with different values of gpu_name'],
    ['two prices', { dph_base: 80 }, 'the rows of a machine have more GPUs than the machine'],
  ])('leaves a machine with %s out', async (_name, other, reason) => {
    const market = await withRows((offers) => [...offers, { ...offers[3], ...other }])
    expect(rowsOf(market)).toEqual(without(1003))
    expect(market.reasons).toEqual({ [reason]: 1 })
  })

  it.each([
    ['a price of 0', { dph_base: 0 }],
    ['a price of a billion', { dph_base: 1e9 }],
    ['more rented GPUs than it has', { num_gpus_rented: 9 }],
    ['more GPUs than there are', { num_gpus: 100_000 }],
    ['a name with control characters', { gpu_name: 'RTX\u0000 4090' }],
    ['a name that is an object', { gpu_name: { toString: 1 } }],
    ['no owner', { host_id: null }],
  ])('leaves a machine with %s out', async (_name, other) => {
    const market = await withRows((offers) =>
      offers.map((offer) => (offer.machine_id === 1003 ? { ...offer, ...other } : offer)),
    )
    expect(rowsOf(market)).toEqual(without(1003))
    expect(market).toMatchObject({ rejected: 1 })
  })

  it('has no more machines than can be held', () => {
    const market = openMarket()
    const list = (machine_id: number) => () =>
      market.add(`row ${machine_id}`, () => [{ ...observation, machine_id }])
    for (let id = 1; id <= 200_000; id += 1) list(id)()
    expect(list(200_000)).not.toThrow()
    expect(list(200_001)).toThrow('more than 200000 machines')
  })

  it('gives a bounded number of reasons', async () => {
    const market = await withRows((offers) =>
      offers.map((offer, index) => ({ ...offer, num_gpus: 2000 + index })),
    )
    expect(Object.keys(market.reasons)).toHaveLength(21)
    expect(market.reasons['other reasons']).toBe(20)
  })
})

describe('a list of offers', () => {
  const marketWith = (...rows: Partial<Observation>[]) => {
    const market = openMarket({ hasOffers: true })
    for (const row of rows) market.add('row', () => [{ ...observation, ...row }])
    return market.close()
  }
  const offer = (num_gpus: number, price = '1') => ({ num_gpus, gpus: num_gpus, price })
  it.each([
    ['one size', [offer(4)], [[4, null]], {}],
    ['three sizes', [offer(1), offer(4), offer(2)], [[4, 1]], {}],
    ['sizes with prices of their own', [offer(1, '0.31'), offer(1, '0.33'), offer(4, '1.2')], [[4, 1]], {}],
    ['one size twice', [offer(4), offer(4)], [[4, null]], { 'a machine is there twice': 1 }],
    ['the largest size twice', [offer(1), offer(4), offer(4)], [[4, 1]], { 'a machine is there twice': 1 }],
    [
      'the largest size at two prices',
      [offer(1), offer(4), offer(4, '2')],
      [],
      { 'the rows of a machine have more GPUs than the machine': 1 },
    ],
    [
      'a size at two prices',
      [offer(4), offer(4, '2')],
      [],
      { 'the rows of a machine have more GPUs than the machine': 1 },
    ],
    [
      'two names',
      [offer(1), { ...offer(4), gpu_name: 'A100' }, offer(4)],
      [],
      { 'a machine is listed twice, with different values of gpu_name': 1 },
    ],
    [
      'another size that is rented',
      [offer(4), { ...offer(2), rented: true }],
      [],
      { 'a machine is listed twice, with different values of num_gpus': 1 },
    ],
    [
      'a part of another size',
      [offer(4), { num_gpus: 8, gpus: 2 }],
      [],
      { 'a machine is listed twice, with different values of num_gpus': 1 },
    ],
    [
      'its free and its rented GPUs',
      [
        { num_gpus: 8, gpus: 5 },
        { num_gpus: 8, gpus: 3, rented: true },
      ],
      [
        [5, null],
        [3, null],
      ],
      {},
    ],
  ])('is one machine, or none, for a machine with %s', (_name, rows, expected, reasons) => {
    const market = marketWith(...rows)
    expect(rowsOf(market).map(({ gpus, min_gpus }) => [gpus, min_gpus])).toEqual(expected)
    expect(market.reasons).toEqual(reasons)
  })

  it('never has more GPUs of a machine than the machine', () => {
    const rows = fc.array(
      fc.record({
        machine_id: fc.nat(2),
        num_gpus: fc.constantFrom(1, 2, 4, 8),
        gpus: fc.constantFrom(1, 2, 4, 8),
        rented: fc.boolean(),
        price: fc.constantFrom('1', '2'),
        gpu_name: fc.constantFrom('T4', 'L4'),
      }),
    )
    fc.assert(
      fc.property(rows, (records) => {
        const held = new Map<unknown, number>()
        for (const { machine_id, gpus, num_gpus } of rowsOf(marketWith(...records))) {
          held.set(machine_id, (held.get(machine_id) ?? 0) + Number(gpus))
          expect(held.get(machine_id)).toBeLessThanOrEqual(Number(num_gpus))
        }
      }),
    )
  })
})

describe.each(['exporter', 'vast'])('a stranger on %s', (kind) => {
  // There are not more offers than 100.
  const rigs = rigsAt(16)
  const rows: Record<string, unknown>[] = kind === 'vast' ? offersOf(rigs) : machinesOf(rigs, slot).offers
  const values = [
    'null',
    '{}',
    '[]',
    '{"toString": 1, "valueOf": 1}',
    '{"__proto__": {"length": 1}}',
    '""',
    '"x"',
    '"-1"',
    '-1',
    '0',
    '1.5',
    '1e308',
    '1e-320',
    '4294967296',
    '18446744073709551616',
    'true',
    'false',
    '"\\u0000\\n"',
    '"\\ud800"',
    `"${'9'.repeat(1000)}"`,
    '[[{"a": [null]}]]',
    '"NaN"',
    '"0x10"',
  ]
  const fields = [...Object.keys(rows[0] ?? {}), '__proto__', 'constructor', 'toString']

  it.each(fields)('can spoil a machine with %s, and not the market', async (field) => {
    for (const value of values) {
      const name = JSON.stringify(field)
      const texts = rows.map((row) => {
        const text = JSON.stringify(row)
        return row.machine_id === 1003 ? text.replace(/}$/, `,${name}:${value}}`) : text
      })
      standIn.fault = (response) => response.end(`{"offers": [${texts.join()}]}`)
      const market = await marketOf(`${kind}=${standIn.url}`)
      expect(market.machines, `${field} ${value}`).toBeGreaterThanOrEqual(15)
      for (const row of rowsOf(market)) {
        expect(Object.keys(row)).toEqual(columns)
        const { num_gpus, gpus, price } = row as Record<string, number>
        expect([gpus, price].every((figure) => figure && figure > 0 && figure < 100_000)).toBe(true)
        expect(gpus).toBeLessThanOrEqual(num_gpus ?? 0)
      }
    }
  })
})

describe('chunks', () => {
  const marketOfOffers = (change: (offers: ReturnType<typeof offersOf>) => object[]) => {
    standIn.fault = (response, body) =>
      response.end(JSON.stringify({ offers: change(JSON.parse(body).offers) }))
    return marketOf(`vast=${standIn.url}`)
  }

  it('are no machine without a chunk that has all GPUs', async () => {
    const market = await marketOfOffers((offers) =>
      offers.filter(({ machine_id, gpu_frac }) => machine_id !== 1003 || gpu_frac < 1),
    )
    expect(market).toMatchObject({ machines: 39, reasons: { 'no offer has all GPUs of the machine': 1 } })
  })

  it('count once under one id: the chunk with the higher score', async () => {
    const market = await marketOfOffers((offers) =>
      offers.flatMap((offer) => [offer, { ...offer, dph_base: 99, score: 0 }]),
    )
    expect(rowsOf(market)).toEqual(rows(standIn.rigs))
  })

  it('have the second size as the smallest part, where the first is a remainder', async () => {
    const parts = [
      [1, [11], 1 / 3],
      [2, [12, 13], 2 / 3],
      [3, [11, 12, 13], 1],
    ] as const
    const [offer] = offersOf(standIn.rigs)
    // The second query of a range of prices contains the offer, too; the first one does not.
    const market = await marketOfOffers((offers) =>
      offers.some(({ id }) => id === offer?.id)
        ? parts.map(([num_gpus, gpu_ids, gpu_frac]) => ({
            ...offer,
            id: num_gpus,
            num_gpus,
            gpu_ids,
            gpu_frac,
          }))
        : [],
    )
    expect(rowsOf(market)[0]).toMatchObject({ num_gpus: 3, min_gpus: 2 })
  })

  it('need the GPUs that they have', async () => {
    const market = marketOfOffers((offers) => offers.map(({ gpu_ids: _, ...offer }) => offer))
    expect(await market).toMatchObject({ machines: 0, reasons: { 'gpu_ids is not a list of GPUs': 40 } })
  })
})

const data = realData()
it.skipIf(!data)('offers of a real marketplace are read', async () => {
  const sample = JSON.parse(readFileSync(join(data ?? '', 'vast_offers_sample_2026-09-28.json'), 'utf8'))
  // The document states `rentable` once for all of its offers.
  const offers = sample.offers.map((offer: object) => ({ ...offer, rentable: sample.rentable }))
  standIn.fault = (response, _, { url }) =>
    response.end(
      JSON.stringify({
        offers: offersBetween(offers.slice(0, 16), new URL(url ?? '', standIn.url).searchParams),
      }),
    )
  const market = await marketOf(`vast=${standIn.url}`)
  expect(market).toMatchObject({
    machines: 6,
    reasons: { 'no offer has all GPUs of the machine': 10 },
  })
  expect(rowsOf(market)[0]).toMatchObject({
    machine_id: 150_709,
    gpu_name: 'RTX 5090',
    num_gpus: 1,
    gpus: 1,
    rented: false,
    verified: true,
    price: 0.586666667,
    host_id: 366_851,
    country: 'US',
    gpu_ram: 32_607,
  })
})

const map = 'machine_id=id,gpu_name=gpu,num_gpus=n,gpus=free,price=usd,verified=ok'

describe('a file', () => {
  const available = () =>
    expectedRows(standIn.rigs)
      .filter(({ rented }) => !rented)
      .map((row) => expect.objectContaining({ ...row, host_id: null }))

  it('is read with a mapping', async () => {
    expect(rowsOf(await marketOf(`file=${standIn.url}/list.csv`, map))).toEqual(available())
  })

  it('is read again when the mapping has changed', async () => {
    const { signal } = new AbortController()
    const text = `file=${standIn.url}/list.csv`
    const answer = await openSource(text, { map }).fetchMarket({
      slot,
      interval: 300,
      clock: systemClock,
      validators: undefined,
      signal,
    })
    const { validators } = answer as Extract<SourceAnswer, { unchanged: false }>
    const again = (map: string) =>
      openSource(text, { map }).fetchMarket({ slot, interval: 300, clock: systemClock, validators, signal })
    expect(await again(map)).toEqual({ unchanged: true })
    expect(await again(`${map},rented=:yes`)).toMatchObject({ unchanged: false })
  })

  it('needs no mapping when its fields have our names', async () => {
    const lines = expectedRows(standIn.rigs).map(({ machines: _, ...row }) => JSON.stringify(row))
    standIn.fault = (response) => response.end(lines.join('\n'))
    expect(rowsOf(await marketOf(`file=${standIn.url}/list.jsonl`))).toEqual(rows(standIn.rigs))
  })

  it.each([
    ['a line that was cut', csvOf(rigsAt(40)).slice(0, -9), 'The list was cut'],
    ['another heading', 'a,b\n1,2\n', 'there is no column id'],
    ['damaged gzip data', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7]), 'gzip data'],
  ])('refuses %s', async (_name, body, problem) => {
    standIn.fault = (response) => response.end(body)
    await expect(marketOf(`file=${standIn.url}/list.csv`, map)).rejects.toThrow(problem)
  })
})

describe('a command', () => {
  it('prints a market', async () => {
    const line = '{"machine_id": 1, "gpu_name": "RTX 4090", "price": 0.4, "num_gpus": 2, "rented": true}'
    const market = await marketOf(`command=echo '${line}'; echo "{\\"machine_id\\": $SLOT}"`)
    expect(rowsOf(market)).toEqual([
      expect.objectContaining({ slot, machine_id: 1, gpus: 2, machines: 1, rented: true, price: 0.4 }),
    ])
    expect(market.reasons).toEqual({ 'gpu_name is missing': 1 })
  })

  it('does not see the settings of the service', async () => {
    process.env.ENCRYPTION_KEY_TEST = 'secret'
    const line = `{\\"machine_id\\": 1, \\"gpu_name\\": \\"x\${ENCRYPTION_KEY_TEST}y\\", \\"price\\": 1}`
    expect(rowsOf(await marketOf(`command=echo "${line}"`))).toMatchObject([{ gpu_name: 'xy' }])
    delete process.env.ENCRYPTION_KEY_TEST
  })

  it('gives no market when it fails, and the reason is its output', async () => {
    const text = `command=echo '{"machine_id": 1, "gpu_name": "T4", "price": 1}'; echo sorry >&2; exit 3`
    await expect(marketOf(text)).rejects.toThrow('The command ended with exit code 3: sorry')
  })

  it('ends with its children when it takes too long', async () => {
    const started = Date.now()
    const answer = fetchMarket(`command=sleep 60 & sleep 60`, { signal: AbortSignal.timeout(300) })
    await expect(answer).rejects.toThrow(/timeout/i)
    expect(Date.now() - started).toBeLessThan(50_000)
  })

  it.runIf(process.platform === 'linux')('ends with a child that has left its process group', async () => {
    const pidFile = join(mkdtempSync(join(tmpdir(), 'rackrate-command-')), 'pid')
    const text = `command=setsid sh -c 'echo $$ > ${pidFile}; exec sleep 60' & sleep 60`
    await expect(fetchMarket(text, { signal: AbortSignal.timeout(1000) })).rejects.toThrow(/timeout/i)
    const pid = Number(readFileSync(pidFile, 'utf8'))
    // A process that has ended, but whose parent has not waited for it, has an empty command line.
    const commandLine = () => existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    await expect.poll(commandLine).toBeFalsy()
  })
})

describe('redirects', () => {
  it('are followed to the market', async () => {
    standIn.fault = (response, _, request) => {
      standIn.fault = undefined
      response.writeHead(307, { location: `${request.url}?moved` }).end()
    }
    expect(await marketOf(`exporter=${standIn.url}`)).toMatchObject({ machines: 40 })
    expect(standIn.requests.map(({ url }) => url)).toEqual(['/machines', '/machines?moved'])
  })

  it.each([
    ['https://8.8.8.8/a', 'https://8.8.8.8/b', 'as before'],
    ['http://8.8.8.8', 'https://1.1.1.1', 'public'],
    ['https://market.example.com', 'https://cdn.example.com', 'public'],
    ['http://127.0.0.1:8622', 'http://10.0.0.7', 'as before'],
    ['https://8.8.8.8', 'http://8.8.8.8', 'refused'],
    ['https://8.8.8.8', 'https://169.254.169.254/latest', 'refused'],
    ['https://8.8.8.8', 'https://[::1]', 'refused'],
    ['https://8.8.8.8', 'https://localhost:8123', 'refused'],
    ['http://8.8.8.8', 'ftp://8.8.8.8', 'refused'],
  ])('lead from %s to %s: %s', (from, to, way) => {
    expect(wayTo(new URL(to), new URL(from))).toBe(way)
  })

  it.each([
    [['93.184.216.34', '10.0.0.7'], RefusedAddress],
    [['::1'], RefusedAddress],
    [[], Error],
  ])('a name whose addresses are %j is not connected to', async (addresses, problem) => {
    const dispatcher = new Agent({ connect: { lookup: publicLookup(async () => addresses) } })
    const { cause } = await fetch('http://cdn.example.com', { dispatcher }).catch((error) => error)
    expect(cause).toBeInstanceOf(problem)
    await dispatcher.close()
  })
})

describe('the name of a source', () => {
  it.each([
    ['exporter=http://host:8622', 'exporter=http://host:8622/machines'],
    ['exporter=https://host/vast/machines', 'exporter=https://host/vast/machines'],
    ['vast=https://host', 'vast=https://host/api/v0/bundles/'],
    ['file=https://host/list.csv?token=secret', 'file=https://host/list.csv#f3ac97547a31'],
    ['command=./market.sh --token secret', 'command=./market.sh#'],
  ])('%s is %s', (text, name) => {
    const { name: given } = openSource(text, {})
    expect(given).toContain(name)
    expect(given).not.toContain('secret')
  })

  it.each([
    ['http://host', 'A source must be exporter=URL'],
    ['prometheus=http://host', 'A source must be exporter=URL'],
    ['exporter=host:8622', 'must begin with http'],
    ['vast=ftp://host', 'must begin with http'],
    ['exporter=http://user:pass@host', 'no user name and no password'],
  ])('%s is refused', (text, problem) => {
    expect(() => openSource(text, {})).toThrow(problem)
  })

  it('a mapping must be of a list, and without slot', () => {
    expect(() => openSource('exporter=http://host', { map })).toThrow('only be used with')
    expect(() => openSource('file=http://host', { map: `${map},slot=ts` })).toThrow('must not give slot')
    expect(() => openSource('file=http://host', { map: 'machine_id=id' })).toThrow('must be given')
  })
})

describe('Retry-After', () => {
  const now = 1_000_000
  it.each([
    ['120', now + 120],
    [new Date((now + 60) * 1000).toUTCString(), now + 60],
    ['999999999', now + 86_400],
    [new Date((now - 60) * 1000).toUTCString(), undefined],
    ['soon', undefined],
    ['-5', undefined],
  ])('%s', (header, time) => {
    expect(retryTime(header, now)).toBe(time)
  })
})

describe('the list of a document', () => {
  async function read(document: Buffer, sizes: readonly number[]) {
    async function* pieces() {
      for (let at = 0, turn = 0; at < document.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1
        yield document.subarray(at, at + size)
        at += size
      }
    }
    const objects: unknown[] = []
    const members = await readList(pieces(), (object) => objects.push(object))
    return { objects, members }
  }
  const object = fc.dictionary(fc.string(), fc.jsonValue())
  const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 })

  it('is what JSON.parse finds, however it arrives', async () => {
    await fc.assert(
      fc.asyncProperty(
        object,
        fc.array(object),
        fc.boolean(),
        sizes,
        async (others, offers, isFirst, sizes) => {
          const { offers: _, ...members } = others
          const document = isFirst ? { offers, ...members } : { ...members, offers }
          const text = JSON.stringify(document, null, sizes.length - 1)
          // A text of JSON has no -0.
          const { offers: objects, ...rest } = JSON.parse(text)
          expect(await read(Buffer.from(text), sizes)).toEqual({ objects, members: rest })
          expect((await read(Buffer.from(JSON.stringify(offers)), sizes)).objects).toEqual(objects)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('is refused wherever the document is cut', async () => {
    const text = Buffer.from(
      JSON.stringify({ a: ['"offers":', '\\'], offers: [{ b: '}]"' }, { c: [{}] }], d: { offers: [] } }),
    )
    expect(await read(text, [7])).toMatchObject({ objects: [{ b: '}]"' }, { c: [{}] }] })
    for (let end = 0; end < text.length; end += 1)
      await expect(read(text.subarray(0, end), [7])).rejects.toThrow(
        'not JSON, is damaged, or ends too early',
      )
  })

  it.each([
    ['[{"dph_base": NaN}]', 'dph_base is NaN'],
    ['{"offers": [{"a": 1, "dlperf":-Infinity}]}', 'dlperf is -Infinity'],
    ['{"offers": [{"a": {"gpu_ram" : Infinity}}]}', 'gpu_ram is Infinity'],
    ['{"count": NaN, "offers": [{"a": 1}]}', 'count is NaN'],
  ])('names the value that is no number in %s', async (text, problem) => {
    await expect(read(Buffer.from(text), [7])).rejects.toThrow(
      `The answer is not JSON: ${problem}, which JSON does not have.`,
    )
  })
})

describe('the names of sources', () => {
  it('are their kinds, unless they are given', () => {
    expect(readSources(['exporter=http://a', ' asia:vast=http://b?x=1', `command='a:b=c'`])).toEqual([
      { name: 'exporter', text: 'exporter=http://a' },
      { name: 'asia', text: 'vast=http://b?x=1' },
      { name: 'command', text: `command='a:b=c'` },
    ])
    expect(readSources([])).toEqual([])
  })

  it.each([
    [['vast=http://a', 'vast=http://b'], 'Two sources are named vast.'],
    [['a:vast=http://a', 'a:exporter=http://b'], 'Two sources are named a.'],
    [['A:vast=http://a'], 'lowercase letters'],
    [['9:vast=http://a'], 'lowercase letters'],
    [['a"; DROP:vast=http://a'], 'lowercase letters'],
    [[`${'a'.repeat(33)}:vast=http://a`], 'lowercase letters'],
    [Array.from({ length: 7 }, (_, index) => `s${index}:vast=http://a`), 'at most 6 sources'],
  ])('%j are refused: %s', (texts, problem) => {
    expect(() => readSources(texts)).toThrow(problem)
  })
})
