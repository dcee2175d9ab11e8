import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../../cli/config.ts'
import { copyBody } from '../../../contract/copytool.ts'
import { historyQuery } from '../../../contract/history.ts'
import { sqlBody } from '../../../contract/sql.ts'
import { csvRecords } from '../../../import/csv.ts'
import { documentRecords, jsonLines } from '../../../import/json.ts'
import { mappedFormat } from '../../../import/mapping.ts'
import { type Format, Rejected } from '../../../import/observation.ts'
import type { FileRecord } from '../../../import/record.ts'
import { rentalOffersDaily } from '../../../import/rental-offers.ts'
import { vastMachinePrices, vastOffers } from '../../../import/vast.ts'
import { UsageError } from '../../../platform/usage-error.ts'
import { publicKey } from '../../../src/companion/ssh/public-key.ts'

// Every parser of outside input gets random and damaged input. It must accept or refuse it in the documented way within a second, and keep no memory.
// FUZZ_RUNS: inputs in all; SEED: the seed of a failure.

const runs = Number(process.env.FUZZ_RUNS ?? 12_000)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const longestMs = 1000
/** CPU time of this process. Other processes do not count. */
const cpuMs = () => process.cpuUsage().user / 1000

/** Valid text with some damage: parts are repeated, cut out, or replaced by characters that often break parsers. */
const damaged = (...valid: string[]): fc.Arbitrary<string> => {
  const splinter = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '"',
      '\n',
      '\r\n',
      ',',
      '\0',
      '\ufeff',
      '{',
      '}',
      '[',
      '\\',
      '../',
      '__proto__',
      '1e999',
      '-0',
      'NaN',
    ),
    fc.constantFrom(
      '💥',
      '\ud800',
      ' ',
      '=',
      ';',
      "'",
      '%00',
      '9'.repeat(400),
      '('.repeat(500),
      'a'.repeat(5000),
    ),
  )
  const change = fc.tuple(fc.nat(2000), fc.nat(12), splinter, fc.nat(3))
  return fc.tuple(fc.constantFrom(...valid), fc.array(change, { maxLength: 6 })).map(([text, changes]) =>
    changes.reduce((now, [place, length, part, times]) => {
      const at = place % (now.length + 1)
      return now.slice(0, at) + part.repeat(times) + now.slice(at + length)
    }, text),
  )
}

const anything = (...valid: string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: damaged(...valid) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  )

/** Bytes in pieces, as a file gives them. A piece may end inside a character. */
const pieces = (text: string, size: number): Buffer[] => {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size))
  return parts
}

async function* stream(parts: readonly Buffer[]) {
  yield* parts
}

function observe(format: Format, { fields }: FileRecord): void {
  if (!fields) return
  try {
    const observation = format.observe(fields)
    if (!Number.isSafeInteger(observation.slot) || observation.slot <= 0)
      throw new Error(`slot ${observation.slot}`)
    if (!/^\d{1,6}\.\d{9}$/.test(observation.price)) throw new Error(`price ${observation.price}`)
    if (!Number.isSafeInteger(observation.machine_id)) throw new Error(`machine ${observation.machine_id}`)
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
  }
}

const mapping = 'slot=ts,machine_id=id,gpu_name=gpu,num_gpus=n,price=usd,rented=r,verified=:yes,tflops=t'
const mapped = mappedFormat(mapping, 'fuzz')
const csv =
  'ts,id,gpu,n,usd,r,t\n1700000000,7,"RTX 4090",8,0.35,no,82.6\n2024-01-31T10:00:00Z,x-1,H100,1,1e-2,yes,\n'
const lines = csv
  .split('\n')
  .slice(1, 3)
  .map((_, n) =>
    JSON.stringify({ ts: 1_700_000_000 + n, id: n, gpu: 'H100', n: 8, usd: '1.25', r: false, t: null }),
  )
  .join('\n')

type Records = (bytes: AsyncIterable<Buffer>) => AsyncIterable<FileRecord[]>
const readers: [string, Records, fc.Arbitrary<string>][] = [
  ['CSV', (bytes) => csvRecords(bytes, ['ts', 'usd']), anything(csv, csv.replaceAll(',', '","'))],
  ['JSON Lines', (bytes) => jsonLines(bytes, ['ts', 'usd']), anything(lines, '{"ts":1}\n'.repeat(5))],
  ['a JSON document', documentRecords, anything(`{"offers":[${lines.replace('\n', ',')}]}`, '{"offers":[]}')],
]

/** Runs `parse` on many inputs. It may refuse with a UsageError only. */
async function fuzz<T>(input: fc.Arbitrary<T>, share: number, parse: (value: T) => unknown): Promise<void> {
  const property = fc.asyncProperty(input, async (value) => {
    const began = cpuMs()
    try {
      await parse(value)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
    }
    expect(cpuMs() - began).toBeLessThan(longestMs)
  })
  await fc.assert(property, { numRuns: Math.ceil(runs * share), seed, endOnFailure: true })
}

const forLong = 60_000 + runs * 20

for (const [name, read, text] of readers)
  it(
    `a damaged file: ${name}`,
    () =>
      fuzz(fc.tuple(text, fc.integer({ min: 1, max: 200 })), 0.1, async ([input, size]) => {
        for await (const batch of read(stream(pieces(input, size))))
          for (const record of batch)
            for (const format of [mapped, vastMachinePrices, vastOffers, rentalOffersDaily])
              observe(format, record)
      }),
    forLong,
  )

it(
  'records with values of any kind',
  () => {
    const value = fc.oneof(
      fc.anything({ maxDepth: 2 }),
      anything('1700000000', '2024-02-30T25:00:00+99:99', '0.352941176', '1e40', 'RTX 4090'),
    )
    const record = fc.record({ ts: value, id: value, gpu: value, n: value, usd: value, r: value, t: value })
    return fuzz(record, 0.1, (fields) => observe(mapped, { line: 1, fields }))
  },
  forLong,
)

it(
  'the option --map',
  () => fuzz(anything(mapping, 'slot=a'), 0.1, (text) => mappedFormat(text, 'fuzz')),
  forLong,
)

const query =
  'gpu_name=RTX_4090%2CH100&verified=all&hosting_type=community&num_gpus=8&start=1700000000&end=1700086400&step=900'
const bodies: [string, z.ZodType, fc.Arbitrary<unknown>][] = [
  [
    'query strings of the history',
    historyQuery,
    anything(query).map((text) => Object.fromEntries(new URLSearchParams(text))),
  ],
  [
    'bodies of the SQL console',
    sqlBody,
    fc.oneof(
      fc.anything(),
      anything('SELECT 1; -- x', `SELECT '\\''`).map((sql) => ({ query: sql })),
    ),
  ],
  [
    'mail addresses',
    z.email().max(254),
    anything('somebody+tag@mail.example.com', '"a b"@example.org', `${'a.'.repeat(120)}@b.c`),
  ],
  [
    'SSH keys',
    publicKey,
    anything('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUF a comment'),
  ],
  [
    'copies, which become arguments of rclone',
    copyBody,
    fc.record({
      instance_id: fc.oneof(fc.integer(), fc.anything()),
      src: anything('/data/a', '--config=/etc/passwd', '..\\..'),
      dst: anything('bucket/b', '-v', '/../etc'),
      selected: fc.integer(),
      transfer: anything('Instance To Cloud', 'cloud to instance'),
      flags: fc.oneof(fc.array(anything('--checksum', '--size-only')), fc.anything()),
    }),
  ],
]

for (const [name, schema, input] of bodies)
  it(
    name,
    () =>
      fuzz(input, 0.09, (value) => {
        const result = schema.safeParse(value)
        if (!result.success) return
        if (schema === publicKey) expect(result.data).not.toMatch(/[\r\n\0]/)
        if (schema === copyBody) {
          const { src, dst } = result.data as { src: string; dst: string }
          for (const path of [src, dst]) expect(path.split(/[/\\]/)).not.toContain('..')
        }
      }),
    forLong,
  )

it(
  'the environment',
  () => {
    const names = [
      'PORT',
      'DATABASE_URL',
      'CLICKHOUSE_URL',
      'REDIS_URL',
      'ENCRYPTION_KEY',
      'SNAPSHOT_INTERVAL',
      'OBSERVATION_RETENTION',
      'RATE_LIMIT',
      'SMTP_URL',
      'PUBLIC_URL',
      'LOG_LEVEL',
      'TRUST_PROXY',
    ]
    const value = anything('8080', 'postgres://a:b@c:5432/d', 'http://[::1]:8123', '300', '400d', 'true')
    const environment = fc.dictionary(fc.constantFrom(...names), value)
    return fuzz(environment, 0.05, (env) => readConfig(env, () => {}))
  },
  forLong,
)

it(
  'holds on to nothing',
  async () => {
    const heap = () => process.memoryUsage().heapUsed / 2 ** 20
    const before = heap()
    await fuzz(anything(csv), 0.02, async (text) => {
      for await (const _ of csvRecords(stream(pieces(text, 64)), ['ts']));
    })
    expect(heap() - before).toBeLessThan(300)
  },
  forLong,
)
