import { expect, it } from 'vitest'
import { decidePrice, floorOf } from '../../../estimates/autopilot.ts'
import type { AutopilotMoment } from '../../../estimates/autopilot-moment.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { seeded } from '../../../simulate/random.ts'
import { type Adapter, type Change, NotSet } from '../../../src/autopilot/adapter.ts'
import { executeDecisions } from '../../../src/autopilot/execute.ts'
import type { RuleMarket } from '../../../src/rules/markets.ts'

// A machine, a marketplace that fails in every way, and a process that is killed at any step, cycle by cycle. CYCLES=1000000 is the proof of a release.

const cycles = Number(process.env.CYCLES ?? 1_000_000)
const seed = Number(process.env.SEED ?? 1)
const interval = 300
const lease = 60

/** The process is dead: its calls have no effect any more. */
class Killed extends Error {}

type Row = Omit<Change, 'state' | 'is_expired'> & {
  state: string
  slot: number
  next: number
  floor: number
  answer: string | null
}

function openWorld(random: () => number) {
  const is = (share: number) => random() < share
  const world = {
    now: 1_800_000_000,
    price: 2,
    left: null as { price: number; at: number } | null,
    changes: [] as number[],
    row: undefined as Row | undefined,
    isAlive: true,
    stopped: 0,
    /** The prices set by the marketplace: decision, price and time of each. */
    sets: [] as { id: string; price: number; at: number; slot: number; floor: number; isChange: boolean }[],
    ends: new Map<string, number>(),
  }
  const live = () => {
    if (!world.isAlive) throw new Killed()
    if (is(0.02)) {
      world.isAlive = false
      throw new Killed()
    }
  }
  /** The statements of src/autopilot/execute.ts, on the one decision that can be pending. */
  const query = async (text: string, values: unknown[] = []) => {
    live()
    const { row } = world
    const isLost = is(0.01)
    const done = (rows: object[]) => {
      // The statement took effect, and the connection was lost before its answer.
      if (isLost) throw new Error('connection lost')
      return { rows, rowCount: rows.length }
    }
    if (text === 'autopilot/claim') {
      if (!row || row.next > world.now || !['decided', 'called', 'answered'].includes(row.state))
        return done([])
      row.attempts += 1
      row.next = world.now + lease
      return done([{ ...row, is_expired: world.now > row.slot + 2 * interval }])
    }
    if (!row) throw new Error('a statement without a decision')
    if (text === 'claims/shares') return done([])
    if (text === 'autopilot/forbidden')
      return done([{ refusal: world.now > row.slot + 2 * interval ? 'too old' : null }])
    if (text === 'autopilot/go_on') {
      const [, attempts, state, next, answer] = values
      if (row.attempts !== attempts || row.state !== state) return done([])
      row.state = `${next}`
      row.answer = (answer as string | null) ?? row.answer
      if (next === 'read_back' || next === 'failed')
        world.ends.set(`${next}`, (world.ends.get(`${next}`) ?? 0) + 1)
      if (next === 'called') world.changes.push(world.now)
      if (next === 'read_back') world.left = { price: row.new_price, at: world.now }
      return done([row])
    }
    if (text.startsWith('UPDATE autopilot_rules')) world.stopped += 1
    else if (!text.startsWith('UPDATE autopilot_decisions SET answer')) throw new Error(`unknown: ${text}`)
    return done([row])
  }
  const adapter: Adapter = {
    async set({ id, new_price }) {
      live()
      const { row } = world
      if (is(0.05)) throw new NotSet('refused')
      if (is(0.05)) throw new Error('no answer, and not set')
      // It answers "ok" and does nothing.
      if (is(0.03)) return 'ok'
      const isChange = world.price !== new_price
      const made = {
        id,
        price: new_price,
        at: world.now,
        slot: row?.slot ?? 0,
        floor: row?.floor ?? 0,
        isChange,
      }
      world.sets.push(made)
      world.price = new_price
      live()
      if (is(0.08)) throw new Error('the answer was lost')
      return 'ok'
    },
    async read() {
      live()
      if (is(0.05)) throw new Error('cannot be read now')
      return world.price
    },
    repeats: true,
  }
  const market = { source: null, costs: { read: async () => ({ account: undefined, machines: [] }) } }
  const context = {
    postgres: { query } as unknown as Postgres,
    adapters: { webhook: adapter, marketplace: undefined, api: undefined, command: undefined },
    markets: [market as unknown as RuleMarket],
    async prove() {
      live()
      if (is(0.05)) throw new Error('the marketplace cannot be asked')
    },
  }
  return { world, context, is }
}

it(`keeps every promise in ${cycles} cycles`, async () => {
  const random = seeded(seed)
  const { world, context, is } = openWorld(random)
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  const wrong = { belowFloor: 0, stale: 0, doubled: 0, twoOpen: 0 }
  const between = (low: number, high: number) => low + random() * (high - low)
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    world.now += is(0.01) ? -between(0, 4000) : between(60, 900)
    // A change by another person, and the restart of a stopped rule.
    if (is(0.01)) world.price = Number(between(0.5, 4).toPrecision(6))
    if (is(0.2)) world.left = null
    const age = is(0.1) ? between(0, 3000) : between(10, 400)
    const hosts = is(0.05) ? 2 : 5
    const floor = Number(between(0.5, 2.5).toFixed(3))
    const moment: AutopilotMoment = {
      target: {
        kind: 'recommended',
        own_results: is(0.5) ? { raise_above: 70, lower_below: 40 } : null,
      },
      rails: {
        floor: is(0.1) ? null : floor,
        ceiling: is(0.3) ? between(1, 4) : null,
        largest_step: between(0.01, 0.5),
        hours_between: is(0.5) ? 0 : 1,
        changes_a_day: 500,
        quiet: is(0.2) ? { from: 22, to: 6 } : null,
        idle: null,
      },
      now: world.now,
      slot: world.now - age,
      slot_before: world.now - age - (is(0.05) ? 900 : 300),
      interval,
      price: world.price,
      online: !is(0.02),
      idle_since: null,
      left: world.left,
      changes: world.changes.slice(-30),
      cost_floor: is(0.5) ? between(0.4, 2.4) : null,
      recommended: is(0.3) ? null : between(0.3, 4),
      own_results: is(0.1) ? null : { occupancy: random(), hours: between(0, 200) },
      market: { asks: [], machines: 8, hosts },
      name_market: { machines: 8, hosts, dearest: 5 },
    }
    const isOpen = world.row !== undefined && !['read_back', 'failed'].includes(world.row.state)
    if (!isOpen) {
      const decision = decidePrice(moment)
      count(decision.kind === 'refusal' ? decision.refusal : decision.kind)
      if (decision.kind === 'change') {
        world.sets = []
        world.row = {
          id: `${cycle}`,
          account_id: 1,
          rule_id: 1,
          source: null,
          machine_id: 1,
          gpu_name: 'x',
          num_gpus: 1,
          kind: 'change',
          old_price: world.price,
          new_price: decision.price,
          reason: '',
          adapter: 'webhook',
          state: 'decided',
          attempts: 0,
          webhook_url: null,
          webhook_secret_sealed: null,
          slot: moment.slot,
          next: 0,
          floor: floorOf(moment) ?? Number.POSITIVE_INFINITY,
          answer: null,
        }
      }
    }
    // Some runs of a process that may be killed and started again.
    for (let turn = 0; turn < 4; turn += 1) {
      world.isAlive = true
      await executeDecisions(context).catch(() => count('ended'))
      if (!world.row || ['read_back', 'failed'].includes(world.row.state)) break
      world.now += is(0.3) ? between(60, 400) : 61
      if (is(0.02)) world.price = Number(between(0.5, 4).toPrecision(6))
    }
    const changesOf = new Map<string, number>()
    for (const { id, price, at, slot, floor, isChange } of world.sets) {
      if (price < floor) wrong.belowFloor += 1
      if (at - slot > 2 * interval) wrong.stale += 1
      if (isChange) changesOf.set(id, (changesOf.get(id) ?? 0) + 1)
    }
    for (const times of changesOf.values()) if (times > 1) wrong.doubled += 1
    if (changesOf.size > 1) wrong.twoOpen += 1
    world.changes.splice(0, world.changes.length - 30)
  }
  console.log(
    `${cycles} cycles: ${JSON.stringify(Object.fromEntries([...counts, ...world.ends]))}, rules stopped ${world.stopped}, wrong ${JSON.stringify(wrong)}`,
  )
  expect(wrong).toEqual({ belowFloor: 0, stale: 0, doubled: 0, twoOpen: 0 })
  expect(world.ends.get('read_back')).toBeGreaterThan(cycles / 100)
}, 3_600_000)
