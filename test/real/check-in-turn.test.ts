import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkInTurn } from '../../ingest/check-in-turn.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { rangeToCheck } from '../../ingest/requested-range.ts'
import { addSeen } from '../daily-market.ts'
import type { TestDatabases } from '../database.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'
import {
  corrupt,
  derivedColumns,
  derivedTables,
  fix,
  threeDays,
  threePublishedDays,
} from '../properties/corruption.ts'

let databases: TestDatabases
/** Number of times that a check of all days asks for the end: once before each day, and once after each part. */
let questions = 0
beforeAll(async () => {
  databases = await threePublishedDays()
})
afterAll(() => databases?.close())

/** Checks until the given number of questions for the end. */
async function checkFor(most: number) {
  let asked = 0
  const isOver = () => ++asked > most
  const result = await checkInTurn(databases, await rangeToCheck(databases, {}), isOver)
  return { ...result, asked }
}

const allDays = Number.POSITIVE_INFINITY

it('a check that is ended after each part continues where it ended', async () => {
  expect((await checkFor(0)).checked_days).toEqual({
    days: 3,
    checked: 0,
    in_part: 0,
    with_problems: 0,
    oldest: null,
  })
  let runs = 0
  // Each run begins a day and ends after one of its parts.
  for (let checked = 0; checked < 3; runs += 1) checked = (await checkFor(1)).checked_days.checked
  const whole = await checkFor(allDays)
  questions = whole.asked
  expect(whole).toMatchObject({ problems: [], checked_days: { checked: 3, with_problems: 0 } })
  expect(runs).toBe(questions - 3)
})

it('days that changed come first, the newest of them first, and count as not checked before', async () => {
  const [first = []] = [threeDays().filter(({ slot }, _, all) => slot === all[0]?.slot)]
  // A roll-up enters the newest slot again, too.
  const late = first.map((one) => ({ ...one, slot: one.slot + 1200 }))
  await addSeen(databases, late, 'late')
  expect((await checkFor(0)).checked_days).toMatchObject({ days: 3, checked: 1 })
  await publishDays(databases)
  const { rows } = await databases.postgres.query('SELECT day FROM checked_days ORDER BY checked_at')
  await checkFor(2)
  const after = await databases.postgres.query('SELECT day, done FROM checked_days ORDER BY checked_at')
  expect(rows.map(({ day }) => day)).not.toEqual(after.rows.map(({ day }) => day))
  expect(after.rows.at(-1)).toMatchObject({ done: 2 })
  expect((await checkFor(allDays)).checked_days).toMatchObject({ checked: 3 })
})

const faults = {
  'rows of the roll-up and of days': {
    cube: 'available',
    flows: 'position',
    machine_days: 'avail_gpus',
    price_histogram: 'gpus',
    price_steps: 'gpus',
    specs: 'score',
    terms: 'reliability',
  },
  'the index': { price_index: 'ln_link' },
  // A day whose slots or publication changed awaits its publication, so its machine days are not compared.
  'the ledgers': { published_days: 'print', slots: 'observations' },
}

it('the faults are in every derived table', () => {
  expect(Object.values(faults).flatMap(Object.keys).sort()).toEqual(derivedTables)
})

it.each(Object.entries(faults))(
  'three runs find a fault in each table of %s, and its command mends it',
  async (_, planted) => {
    const columns = await derivedColumns(databases.clickhouse)
    const isPlanted = new Set(Object.entries(planted).map((path) => path.join('.')))
    for (const column of columns.filter(({ table, name }) => isPlanted.has(`${table}.${name}`)))
      await corrupt(databases.clickhouse, column, columns)
    const found = []
    for (let run = 0; run < 3; run += 1)
      found.push(...(await checkFor(Math.ceil(questions / 3) + 1)).problems)
    const tables = [...new Set(found.map(({ table }) => table))]
    expect(tables).toEqual(expect.arrayContaining(Object.keys(planted)))
    for (const command of new Set(found.map((one) => one.fix))) await fix(databases, command)
    expect(await checkFor(allDays)).toMatchObject({
      problems: [],
      checked_days: { checked: 3, with_problems: 0 },
    })
  },
)

it('rackrate check --for prints the share of checked days, and refuses other forms', async () => {
  const run = async (...words: string[]) => {
    const process = spawnRackrate(words, environmentOf(databases.queues, databases.clickhouseAddress))
    return { code: await exited(process), output: process.output() }
  }
  const { code, output } = await run('check', '--for', '90s')
  expect(code, output).toBe(0)
  expect(output).toMatch(
    /^No problems found\.\nDays without problems since their rows last changed: 3 of 3\. /m,
  )
  for (const wrong of ['10', '0m', '1d', '-5m', '100000s'])
    expect(await run('check', '--for', wrong)).toMatchObject({
      code: 2,
      output: expect.stringContaining('It must be a duration, such as 90s, 10m or 2h.'),
    })
})
