import { expect, it } from 'vitest'
import { execute } from '../../platform/stores/clickhouse.ts'
import { freshDatabases } from '../database.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'
import { corruption } from '../properties/corruption.ts'

// One of each kind: figures, what is sealed, a key, and the ledger. test/all/real/ has all of them, one by one.
const some = [
  'cube.available',
  'price_histogram.gpus',
  'machine_days.avail_gpus',
  'price_index.ln_link',
  'published_days.print',
  'flows.position',
  'slots.observations',
  'terms.reliability',
]
corruption({ 'some tables': ({ table, name }) => some.includes(`${table}.${name}`) }, { oneByOne: false })

it('rackrate check names the fault, the place and the command, and exits with 1', async () => {
  const { clickhouse, clickhouseAddress, queues, close } = await freshDatabases()
  const run = async (...words: string[]) => {
    const process = spawnRackrate(words, environmentOf(queues, clickhouseAddress))
    return { code: await exited(process), output: process.output() }
  }
  try {
    const row = `toDateTime(1700010000), 'L4', 1, true, 'unknown', true, 0.5, 12, 1, 1`
    await execute(clickhouse, `INSERT INTO price_histogram SELECT ${row}`)
    const { code, output } = await run('check')
    expect(code).toBe(1)
    expect(output).toContain(
      'price_histogram: 1 row between 2023-11-15 01:00 UTC and 2023-11-15 02:00 UTC is wrong.',
    )
    expect(output).toContain('It should not be there: gpu_name "L4", hour "2023-11-15 01:00:00"')
    const [, command = ''] = /Run: rackrate (.*)/.exec(output) ?? []
    expect(await run(...command.split(' '))).toMatchObject({ code: 0 })
    expect(await run('check')).toMatchObject({ code: 0, output: 'No problems found.\n' })
  } finally {
    await close()
  }
})
