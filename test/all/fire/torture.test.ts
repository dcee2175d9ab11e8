import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { selectRows } from '../../../platform/stores/clickhouse.ts'
import { seedMarket } from '../../../simulate/create-market.ts'
import { pick, seeded } from '../../../simulate/random.ts'
import { freePort, hasRedis, type OwnServer, startRedis } from '../../debian.ts'
import { smallMarket } from '../../market.ts'
import { exited } from '../../process.ts'
import { openSite, patient, type Site } from './site.ts'

// `rackrate up` on embedded engines while it, its engines and an import are killed at random. `npm run torture -- --minutes N` runs it for long.

const minutes = Number(process.env.TORTURE_MINUTES ?? 1)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const killsPerRound = minutes > 2 ? 25 : 8
const machines = 100
const importedSlots = 40
const days = minutes > 2 ? 3 : 1
const columns = 'ts,machine,gpu,n,usd'
const mapping = 'slot=ts,machine_id=machine,gpu_name=gpu,num_gpus=n,price=usd'

const random = seeded(seed)
/** Either the history of a simulated market is being generated and the queues are in Redis, or neither. */
const isSimulated = process.env.SIMULATED ? process.env.SIMULATED === '1' : random() < 0.5
const withRedis = isSimulated && hasRedis
const victims = ['up', 'postgres', 'clickhouse', 'import', ...(withRedis ? ['redis' as const] : [])] as const
type Victim = 'up' | 'postgres' | 'clickhouse' | 'import' | 'redis'

let site: Site
let redis: OwnServer | undefined
let redisPort = 0
let importing: ReturnType<Site['run']> | undefined
let slowest = 0
const kills: Record<Victim, number> = { up: 0, postgres: 0, clickhouse: 0, import: 0, redis: 0 }

const importFile = () =>
  site.run('import', join(site.dir, 'prices.csv'), '--map', mapping, '--source', 'prices')

async function kill(victim: Victim): Promise<void> {
  const strike = {
    up: () => site.up?.kill('SIGKILL') ?? false,
    import: () => importing?.kill('SIGKILL') ?? false,
    // The server itself, or the process that supervises it.
    postgres: () => {
      const files = pick(random, [
        ['postgres.pid'],
        ['postgres/postmaster.pid'],
        ['postgres.pid', 'postgres/postmaster.pid'],
      ])
      return files.every((file) => process.kill(site.pidOf(file), 'SIGKILL'))
    },
    clickhouse: () => process.kill(site.pidOf('clickhouse/pid'), 'SIGKILL'),
    redis: async () => {
      await redis?.stop()
      await pause(random() * 1000)
      redis = await startRedis(redisPort)
      return true
    },
  }[victim]
  try {
    if (await strike()) kills[victim] += 1
  } catch {
    // It is not running at this moment.
  }
}

async function startAgain(): Promise<void> {
  if (site.up) await exited(site.up)
  // An import that starts at this moment would start the engines itself, and the next `up` would be refused.
  await kill('import')
  if (importing) await exited(importing)
  let began = Date.now()
  site.start()
  // Sometimes the process is killed again while it starts.
  if (random() < 0.3) {
    await pause(random() * 3000)
    await kill('up')
    if (site.up) await exited(site.up)
    began = Date.now()
    site.start()
  }
  await site.isUp()
  slowest = Math.max(slowest, Date.now() - began)
}

async function round(): Promise<void> {
  for (let n = 0; n < killsPerRound; n += 1) {
    // Without a process that has the engines, an import would start them itself.
    await site.isUp()
    if (!importing || importing.exitCode !== null || importing.signalCode !== null) importing = importFile()
    const capturing = site.captureSome(3)
    await pause(random() * 1500)
    const victim = pick(random, victims)
    await kill(victim)
    await capturing
    if (victim === 'up') await startAgain()
  }
  importing?.kill('SIGKILL')
  if (importing) await exited(importing)
}

/** After the processes have run undisturbed, every slot exists exactly once. */
async function settle(): Promise<void> {
  await site.isUp()
  await vi.waitFor(
    () =>
      site.withEngines(async ({ postgres, clickhouse }) => {
        const { rowCount } = await postgres.query('SELECT FROM simulation WHERE filled_from > fill_until')
        expect(rowCount, site.output()).toBe(0)
        expect(await clickhouse.ping(), site.output()).toEqual({ success: true }) // an import does not wait for it
      }),
    patient,
  )
  importing = importFile()
  expect(await exited(importing), importing.output()).toBe(0)
  await site.expectComplete(isSimulated ? 'simulated' : 'market')
  await site.withEngines(async ({ postgres, clickhouse }) => {
    const { rows } = await postgres.query<{ anchor: number }>('SELECT anchor_slot AS anchor FROM simulation')
    const [found] = await selectRows(
      clickhouse,
      `SELECT countIf(source = 'prices') AS imported,
         uniqExactIf(slot, source = 'simulated' AND slot < {anchor:UInt32}) AS history
       FROM observations`,
      { anchor: rows[0]?.anchor ?? 0 },
    )
    expect(found).toEqual({ imported: machines * importedSlots, history: isSimulated ? days * 96 : 0 })
  })
  await site.stop()
  site.start()
  await site.isUp()
}

it(
  `comes back complete after every kill, for ${minutes} minutes (seed ${seed}${isSimulated ? ', with a history that fills in' : ''})`,
  async () => {
    site = openSite('torture')
    writeFile(site.dir)
    if (withRedis) {
      redisPort = await freePort()
      redis = await startRedis(redisPort)
      site.env.REDIS_URL = redis.url
    }
    let rounds = 0
    try {
      site.start()
      await site.isUp()
      await site.withEngines(async ({ postgres }) => {
        if (isSimulated) await seedMarket(postgres, { seed, size: 150, days, interval: 900 })
        else await smallMarket(postgres, 60)
      })
      if (isSimulated) {
        // The next start fills in the history; the slots that are captured come after it.
        site.slot = Math.ceil(Date.now() / 900_000) * 900 + 86_400
        await site.stop()
        site.start()
      }
      for (const end = Date.now() + minutes * 60_000; Date.now() < end; rounds += 1) {
        await round()
        await settle()
        const total = Object.values(kills).reduce((a, b) => a + b)
        console.log(
          `torture: round ${rounds + 1}, ${total} kills ${JSON.stringify(kills)}, slowest start ${slowest} ms`,
        )
      }
      await site.stop()
    } finally {
      await site.remove()
      await redis?.stop()
    }
  },
  minutes * 60_000 + 3_600_000,
)

function writeFile(dir: string): void {
  const lines = Array.from(
    { length: machines * importedSlots },
    (_, n) =>
      `${1_700_000_000 + Math.floor(n / machines) * 3600},${n % machines},RTX 4090,1,0.${1 + (n % 9)}`,
  )
  writeFileSync(join(dir, 'prices.csv'), [columns, ...lines].join('\n'))
}
