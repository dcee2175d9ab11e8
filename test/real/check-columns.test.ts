import { expect, it } from 'vitest'
import { check } from '../../ingest/check.ts'
import { execute } from '../../platform/stores/clickhouse.ts'
import { locks, withAdvisoryLock } from '../../platform/stores/postgres.ts'
import { freshDatabases } from '../database.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'
import { corruption } from '../properties/corruption.ts'

// One column of each kind: a figure, a sealed column, a key, and the ledger. test/all/real/ tests every column.
const some = [
  'cube.available',
  'price_histogram.gpus',
  'machine_days.avail_gpus',
  'price_index.ln_link',
  'published_days.print',
  'flows.position',
  'slots.observations',
  'specs.score',
  'terms.reliability',
]
corruption({ 'some tables': ({ table, name }) => some.includes(`${table}.${name}`) }, { oneByOne: false })

const strangeRow = `SELECT toDateTime(1700010000), 'L4', 1, true, 'unknown', 24, 'unknown', true, 0.5, 12, 1, 1`

it('rackrate check names the fault, the place and the command, and exits with 1', async () => {
  const { clickhouse, clickhouseAddress, queues, close } = await freshDatabases()
  const run = async (...words: string[]) => {
    const process = spawnRackrate(words, environmentOf(queues, clickhouseAddress))
    return { code: await exited(process), output: process.output() }
  }
  try {
    await execute(clickhouse, `INSERT INTO price_histogram ${strangeRow}`)
    const { code, output } = await run('check')
    expect(code).toBe(1)
    expect(output).toContain(
      'price_histogram: 1 row between 2023-11-15 01:00 UTC and 2023-11-15 02:00 UTC is wrong.',
    )
    expect(output).toContain('It should not be there: gpu_name "L4", hour "2023-11-15 01:00:00"')
    const [, command = ''] = /Run: rackrate (.*)/.exec(output) ?? []
    expect(await run(...command.split(' '))).toMatchObject({ code: 0 })
    expect(await run('check')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^No problems found\.$/m),
    })
  } finally {
    await close()
  }
})

it('a check without findings does not wait for a process that writes to the series', async () => {
  const databases = await freshDatabases()
  try {
    const range = { from: 1_700_000_000, to: 1_700_100_000 }
    await withAdvisoryLock(databases.postgres, locks.series, async () =>
      expect(await check(databases, range)).toEqual({ problems: [], not_checked: [] }),
    )
  } finally {
    await databases.close()
  }
})

it('a row that a writer corrects before it lets the series go is no problem', async () => {
  const databases = await freshDatabases()
  const { clickhouse, postgres, close } = databases
  try {
    const range = { from: 1_700_000_000, to: 1_700_100_000 }
    const waits = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
    let checked: ReturnType<typeof check> | undefined
    await withAdvisoryLock(postgres, locks.series, async () => {
      await execute(clickhouse, `INSERT INTO price_histogram ${strangeRow}`)
      checked = check(databases, range)
      await expect.poll(async () => (await postgres.query(waits)).rowCount).toBe(1)
      await execute(clickhouse, 'TRUNCATE TABLE price_histogram')
    })
    expect(await checked).toEqual({ problems: [], not_checked: [] })
  } finally {
    await close()
  }
})
