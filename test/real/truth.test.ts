import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatOf } from '../../import/formats.ts'
import { importFiles } from '../../import/import-files.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { realData } from '../data.ts'
import { startServer, type TestServer } from '../server.ts'

interface Case {
  gpu_name: string
  start: number
  end: number
  step: number
  num_gpus: string
  series: {
    bucket: number
    rows: number
    pool?: { nearest_rank_weighted: number[] }
    last_snapshot?: { offers: number }
  }[]
}

const dir = realData()

/** Writes the weeks that the cases are of as two files, a third of the history, of which the first is short. TRUTH=all imports all of it. */
function writeWeeks(history: string, folder: string): { name: string; rows: number }[] {
  const at = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000
  const [heading = '', ...lines] = gunzipSync(readFileSync(history)).toString().trim().split('\n')
  const parts = [
    [['2023-05-01', '2023-05-15']],
    [
      ['2023-06-20', '2023-07-04'],
      ['2023-07-20', '2023-08-20'],
      ['2023-09-01', '2023-11-01'],
    ],
  ] as const
  return parts.map((weeks, part) => {
    const ranges = weeks.map(([from, to]) => [at(from), at(to)] as const)
    const rows = lines.filter((line) => {
      const slot = Number(line.slice(0, line.indexOf(',')))
      return ranges.some(([from, to]) => slot >= from && slot < to)
    })
    const name = join(folder, `${part}.csv`)
    writeFileSync(name, [heading, ...rows].join('\n'))
    return { name, rows: rows.length }
  })
}

describe.skipIf(!dir)('the history of real prices', () => {
  const data = dir ?? ''
  let server: TestServer
  const history = join(data, 'aws_gpu_spot_history.csv.gz')
  const folder = mkdtempSync(join(tmpdir(), 'rackrate-truth-'))
  let files: { name: string; rows: number }[]
  const format = () =>
    formatOf({ format: 'aws-spot', offers: join(data, 'aws_gpu_offers.csv.gz'), source: '' })

  beforeAll(async () => {
    server = await startServer()
    files = process.env.TRUTH === 'all' ? [{ name: history, rows: 1_794_300 }] : writeWeeks(history, folder)
    const names = files.map(({ name }) => name)
    const read = files.reduce((sum, { rows }) => sum + rows, 0)
    expect(await importFiles(server, names, { format: await format() })).toEqual({
      read,
      inserted: read,
      duplicate: 0,
      rejected: [],
      rejected_total: 0,
      imports: names.map(() => expect.stringMatching(/^[0-9a-f]{12}$/)),
    })
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await server?.close()
  })

  const { cases } = dir
    ? (JSON.parse(readFileSync(join(data, 'truth_public_aws.json'), 'utf8')) as { cases: Case[] })
    : { cases: [] }
  it.each(cases)(
    '$gpu_name of $num_gpus from $start by $step s',
    async ({ gpu_name, start, end, step, num_gpus, series }) => {
      const query = new URLSearchParams({
        gpu_name,
        start: `${start}`,
        end: `${end}`,
        step: `${step}`,
        num_gpus,
        verified: 'all',
      })
      const { status, body } = await server.get(`/api/v0/metrics/gpu/history/?${query}`)
      expect(status).toBe(200)
      const { pricing, supply_demand } = (
        body as {
          gpus: Record<string, { pricing: Record<string, never>; supply_demand: Record<string, never> }>
        }
      ).gpus[gpu_name] as {
        pricing: Record<string, (number | null)[]>
        supply_demand: Record<string, number[]>
      }

      const known = series.filter((point) => point.rows > 0)
      for (const { bucket, pool, last_snapshot } of known) {
        const index = pricing.timestamps?.indexOf(bucket) ?? -1
        const [p10 = Number.NaN, median = Number.NaN, p90 = Number.NaN] = pool?.nearest_rank_weighted ?? []
        expect(pricing.avail_p10?.[index]).toBeCloseTo(p10, 9)
        expect(pricing.avail_median?.[index]).toBeCloseTo(median, 9)
        expect(pricing.avail_p90?.[index]).toBeCloseTo(p90, 9)
        expect(supply_demand.avail_unverified?.[index], `count at ${bucket}`).toBe(last_snapshot?.offers)
        expect(pricing.rented_median?.[index]).toBeNull()
      }
      // A bucket without GPUs of the name has no price, and it has a point only if the market had a slot.
      for (const { bucket } of series.filter((point) => point.rows === 0)) {
        const index = pricing.timestamps?.indexOf(bucket) ?? -1
        if (index >= 0)
          expect([pricing.avail_median?.[index], supply_demand.total?.[index]]).toEqual([null, 0])
      }
    },
  )

  it('is the same after a second import', async () => {
    const [{ name, rows } = { name: '', rows: 0 }] = files
    const report = await importFiles(server, [name], { format: await format() })
    expect(report).toMatchObject({ read: rows, inserted: 0, duplicate: rows })
  })

  it('passes the check of every stored row', async () => {
    const range = await seriesRange(server.clickhouse)
    expect(await check(server, range)).toMatchObject({ problems: [] })
  })
})
