import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { alertLimits } from '../../../contract/alert-kinds.ts'
import type { AlertMessage } from '../../../contract/alerts.ts'
import { seeded } from '../../../simulate/random.ts'
import { createKeyFor } from '../../../src/companion/keys/key-for-role.ts'
import { belowThirty, openAlertsWorld } from '../../alerts.ts'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'
import { startReceiver } from '../../receiver.ts'
import { startSmtp } from '../../smtp.ts'

// Workers are killed at random while rules fire. ALERT_KILLS=1000 does it for an hour and more.

const kills = Number(process.env.ALERT_KILLS ?? 8)
const mostRules = Number(process.env.ALERT_RULES ?? 100)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = seeded(seed)
const slotsPerKill = 3
const mostWaiting = 100

let alerts: Awaited<ReturnType<typeof openAlertsWorld>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let smtp: Awaited<ReturnType<typeof startSmtp>>
let dir: string
beforeAll(async () => {
  alerts = await openAlertsWorld({ privateHosts: ['127.0.0.1'] })
  ;[receiver, smtp] = await Promise.all([startReceiver(), startSmtp()])
  dir = mkdtempSync(join(tmpdir(), 'rackrate-alerts-'))
})
afterAll(async () => {
  receiver?.close()
  await smtp?.close()
  await alerts?.server.close()
  rmSync(dir, { recursive: true, force: true })
})

it(
  `no alert is lost and none is there twice after ${kills} kills (seed ${seed})`,
  async () => {
    const { server, world, state, spoolNext } = alerts
    let { host: key } = world.keys
    for (let n = 0; n < mostRules; n += 1) {
      // The account has the most rules that it may have.
      if (n > 0 && n % alertLimits.rules === 0)
        ({ key } = await createKeyFor(server.postgres, { role: 'admin' }))
      const condition = { ...belowThirty, limit: 0.2 + (0.2 * (n + 1)) / (mostRules + 1) }
      const to = {
        email: n === 0,
        webhook_url: n % Math.ceil(mostRules / 10) === 0 ? `${receiver.url}/${n}` : null,
      }
      const body = { name: `rule ${n}`, condition, ...to }
      const { status } = await server.send('POST', '/api/v0/alerts', key, body)
      expect(status).toBe(200)
    }
    // Each slot changes the state of every rule: its figure is below all limits, then above all.
    // They are of the future, since a worker also captures the present marketplace, and slots of more than a day before the newest are passed over.
    state.slot += 300 * 300
    const slots: number[] = []
    const env = {
      ...environmentOf(server.queues, server.clickhouseAddress),
      RACKRATE_DATA_DIR: dir,
      SMTP_URL: smtp.url,
      WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
    }
    const spoolSome = async () => {
      for (let n = 0; n < slotsPerKill; n += 1)
        slots.push(await spoolNext(slots.length % 2 === 0 ? 0.5 : 0.1))
    }
    const evaluated = async () => {
      const query = `SELECT slot FROM alert_progress WHERE what = 'market'`
      return (await server.postgres.query<{ slot: number }>(query)).rows[0]?.slot ?? 0
    }
    await spoolSome()
    await server.postgres.query(`UPDATE alert_progress SET slot = $1 WHERE what = 'market'`, [
      (slots[0] ?? 0) - 300,
    ])

    for (let n = 0; n < kills; n += 1) {
      // Slots always wait, but not for a day: rules would pass over older ones (docs/alerts.md).
      if ((slots.at(-1) ?? 0) - (await evaluated()) < mostWaiting * 300) await spoolSome()
      const worker = spawnRackrate(['worker'], env)
      // It takes some seconds to start; then it loads, evaluates and delivers.
      await pause(1000 + random() * 4000)
      worker.kill('SIGKILL')
      await exited(worker)
    }
    const last = spawnRackrate(['worker'], env)
    try {
      await vi.waitFor(
        async () => {
          expect(await evaluated(), last.output()).toBeGreaterThanOrEqual(slots.at(-1) ?? 0)
          const waiting = await server.postgres.query(`SELECT FROM alert_messages WHERE webhook = 'waiting'`)
          const mails = await server.postgres.query('SELECT FROM outbox WHERE sealed IS NOT NULL')
          expect([waiting.rowCount, mails.rowCount], last.output()).toEqual([0, 0])
        },
        { timeout: 600_000, interval: 200 },
      )
    } finally {
      last.kill('SIGTERM')
      await exited(last)
    }

    // Every rule fires or resolves at every slot except the first.
    const { rows } = await server.postgres.query<AlertMessage>(
      'SELECT id, rule_id, slot, entries, webhook FROM alert_messages ORDER BY slot, rule_id',
    )
    const byRule = new Map<number, string[]>()
    for (const { rule_id, slot, entries } of rows)
      byRule.set(rule_id, [...(byRule.get(rule_id) ?? []), ...entries.map(({ what }) => `${slot} ${what}`)])
    const expected = slots.slice(1).map((slot, n) => `${slot} ${n % 2 === 0 ? 'fired' : 'resolved'}`)
    expect(byRule.size).toBe(mostRules)
    for (const said of byRule.values()) expect(said).toEqual(expected)

    // A webhook may get a message again when its sender was killed, always with the same id.
    const sent = rows.filter(({ webhook }) => webhook !== null)
    expect(sent.every(({ webhook }) => webhook === 'delivered')).toBe(true)
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set(sent.map(({ id }) => id)))
    expect(receiver.received.length - sent.length).toBeLessThanOrEqual(4 * (kills + 1))
    // The same holds for mail, one for each slot: at most 100 in a day.
    const mails = new Set(smtp.mails.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1]))
    expect(mails.size).toBe(Math.min(100, slots.length - 1))
  },
  600_000 + kills * 30_000,
)
