// Runs the tests at six instants at which clocks and calendars go wrong: node tools/clock-sweep.mjs [--at NAME,…] [--lead SECONDS] [--
// ARGUMENTS OF VITEST]. Each test file begins SECONDS before the instant. The clock is moved in its process, the processes that it starts,
// its pages, and its PostgreSQL database (test/moved-clock.mjs, test/clock.ts). The servers use the clock of the machine.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  options: { at: { type: 'string' }, lead: { type: 'string', default: '15' } },
  allowPositionals: true,
})

const now = new Date()
const year = now.getUTCFullYear()
/** The first of the given times that is in the future. */
const next = (...times) => times.map((time) => time / 1000).find((time) => time > now / 1000 + 3600)
const years = [0, 1, 2, 3, 4].map((later) => year + later)
/** In Europe, summer time begins on the last Sunday of March at 01:00 UTC. */
const summer = (of) => {
  const last = new Date(Date.UTC(of, 2, 31, 1))
  return last.setUTCDate(31 - last.getUTCDay())
}
const midnight = Date.UTC(year, now.getUTCMonth(), now.getUTCDate() + 1)
const ahead = Date.UTC(year + 3, now.getUTCMonth(), now.getUTCDate(), now.getUTCHours())

const instants = {
  midnight: { at: next(midnight, midnight + 86_400_000) },
  // 31 January: no such day exists three months later.
  'month-end': { at: next(...years.map((of) => Date.UTC(of, 1, 1))) },
  'year-end': { at: next(...years.map((of) => Date.UTC(of + 1, 0, 1))) },
  'leap-day': { at: next(...years.filter((of) => of % 4 === 0).map((of) => Date.UTC(of, 1, 29))) },
  'summer-time': { at: next(...years.map(summer)), zone: 'Europe/Berlin' },
  'three-years': { at: ahead / 1000 },
}

const wanted = values.at?.split(',') ?? Object.keys(instants)
const unknown = wanted.filter((name) => !(name in instants))
if (unknown.length > 0) throw new Error(`unknown: ${unknown}. There are: ${Object.keys(instants).join(', ')}`)

// Tests of the servers' clock or of whole installations, which use the clock of the machine.
const unmoved = ['embedded', 'starting', 'own-directory', 'operation', 'retention'].flatMap((name) => [
  '--exclude',
  `test/real/${name}.test.ts`,
])
const preload = new URL('../test/moved-clock.mjs', import.meta.url).href
const failed = wanted.filter((name) => {
  const { at, zone } = instants[name]
  const begin = at - Number(values.lead)
  console.log(`\n${name}: files begin at ${new Date(begin * 1000).toISOString()}${zone ? ` in ${zone}` : ''}`)
  const { status } = spawnSync('npx', ['vitest', 'run', '--isolate', ...unmoved, ...positionals], {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${preload}`.trim(),
      TEST_CLOCK_AT: String(begin),
      ...(zone && { TZ: zone }),
    },
  })
  return status !== 0
})
console.log(failed.length === 0 ? `\npassed at ${wanted.join(', ')}` : `\nFAILED at ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
