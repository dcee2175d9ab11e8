import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { historyAnswer } from '../../contract/history.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { inTime, timesAsOften } from '../in-time.ts'
import { expectedHistory, type HistoryQuery, type MachineAtSlot } from '../oracle/history.ts'
import { gpuNames, interval, market, seenOf, spool } from '../random-market.ts'
import { startServer, type TestServer } from '../server.ts'

const question = fc.record({
  gpu: fc.constantFrom(...gpuNames),
  verified: fc.constantFrom('yes' as const, 'no' as const, 'all' as const),
  hosting: fc.constantFrom('all' as const, 'secure_cloud' as const, 'community' as const),
  rig: fc.constantFrom('all' as const, 1, 2, 8),
  memory: fc.constantFrom('all' as const, 'all' as const, 24, 80, 40),
  // steps on the ladder, the slot itself, other whole hours, and other steps below an hour
  step: fc.constantFrom(
    300,
    900,
    3600,
    10_800,
    43_200,
    86_400,
    604_800,
    7200,
    18_000,
    64_800,
    172_800,
    60,
    420,
    1800,
    1000,
    5400,
  ),
  start: fc.integer({ min: -5000, max: 65_000 }),
  // Whole days as well.
  length: fc.oneof(fc.integer({ min: 0, max: 70_000 }), fc.integer({ min: 80_000, max: 200_000 })),
})

let server: TestServer
/** Tests of the history of `runs` random markets, whose slots land in any order. */
export function historyProperty(runs: number): void {
  beforeAll(async () => {
    server = await startServer({ snapshotInterval: interval, seriesMaxAgeMs: 0 })
  })
  afterAll(() => server?.close())

  it('every field of every history equals the plain definition', async () => {
    let base = 1_700_000_000 - (1_700_000_000 % 604_800)
    await fc.assert(
      fc.asyncProperty(
        market,
        fc.array(question, { minLength: 25, maxLength: 25 }),
        inTime(100_000, async (random, questions) => {
          // Each market has its own weeks in the same database, so that every run also has rows before and after its range.
          base += 4 * 604_800
          const at = base + 3 * 86_400
          const { seen, slots } = seenOf(random, at)
          // Slots land in any order: late ones, and buckets that are still open.
          for (const slot of slots) {
            await spool(
              server.postgres,
              slot,
              seen.filter((one) => one.slot === slot),
            )
            await loadAll(server)
          }
          for (const { start, length, ...asked } of questions) {
            await compare({ ...asked, start: at + start, end: at + start + length }, seen, slots)
          }
        }),
      ),
      {
        numRuns: timesAsOften(runs),
        endOnFailure: true,
      },
    )
  })

  it('every stored row passes the check', async () => {
    const range = await seriesRange(server.clickhouse)
    expect(await check(server, range)).toMatchObject({ problems: [] })
  })
}

async function compare(asked: HistoryQuery, seen: MachineAtSlot[], slots: number[]): Promise<void> {
  const { gpu, verified, hosting, rig, memory = 'all', start, end, step } = asked
  const query = new URLSearchParams({
    gpu_name: gpu,
    verified,
    hosting_type: hosting,
    num_gpus: `${rig}`,
    gpu_memory: `${memory}`,
    start: `${start}`,
    end: `${end}`,
    step: `${step}`,
  })
  const { status, headers, body } = await server.get(`/api/v0/metrics/gpu/history?${query}`)
  expect(status).toBe(200)
  expect(Number(headers['rackrate-step'])).toBe(step)
  // The server does not validate its own answers.
  expect(historyAnswer.strict().parse(body)).toEqual(body)
  const { stats, ...series } =
    (body as { gpus: Record<string, ReturnType<typeof expectedHistory>> }).gpus[gpu] ?? fail(gpu)
  const { stats: expectedStats, ...expected } = expectedHistory(seen, slots, asked)
  expect(series, JSON.stringify(asked)).toEqual(expected)
  for (const [name, value] of Object.entries(expectedStats)) {
    const figure = stats[name as keyof typeof stats]
    if (value === null || figure === null) expect(figure, name).toBe(value)
    else expect(figure, name).toBeCloseTo(value, 9)
  }
}

function fail(gpu: string): never {
  throw new Error(`no answer for ${gpu}`)
}
