import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { dueRuns } from '../../../src/companion/schedule/execute.ts'
import { needs } from '../../needs.ts'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'
import { startServer, type TestServer } from '../../server.ts'
import { startSmtp } from '../../smtp.ts'
import { farStart, openWorld, type World } from '../../world.ts'

type Process = ReturnType<typeof spawnRackrate>

let server: TestServer
let world: World
let dir: string
const running: Process[] = []
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
  dir = mkdtempSync(join(tmpdir(), 'rackrate-crash-'))
})
afterEach(async () => {
  for (const one of running.splice(0)) {
    one.kill('SIGKILL')
    await exited(one)
  }
})
afterAll(async () => {
  await server?.close()
  rmSync(dir, { recursive: true, force: true })
})

const spawn = (args: string[], more: Record<string, string> = {}) => {
  const one = spawnRackrate(args, {
    ...environmentOf(server.queues, server.clickhouseAddress),
    RACKRATE_DATA_DIR: dir,
    PORT: '0',
    ...more,
  })
  running.push(one)
  return one
}
const addressOf = (one: Process) =>
  vi.waitFor(
    () => {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(one.output())?.[0]
      expect(url, one.output()).toBeDefined()
      return url as string
    },
    { timeout: 90_000, interval: 50 },
  )

/** Seconds by which a process is recognized. */
const unlikely = 100_000 + (process.pid % 100_000)

/** The processes that have this text in their command line. */
const processesOf = (text: string) =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
      } catch {
        return false
      }
    })

/** A controller that does something at each dispatch instead of answering. */
const openDispatchTrap = async (onDispatch: () => void) => {
  let dispatched = 0
  const http = createServer((request, response) => {
    dispatched += 1
    onDispatch()
    request.resume().on('end', () => response.end('{"success": true}'))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    dispatched: () => dispatched,
    close: () => {
      http.closeAllConnections()
      http.close()
    },
  }
}
const copy = () => ({
  instance_id: world.instance_id,
  src: '/a',
  dst: '/b',
  selected: world.cloud_connection_id,
  transfer: 'Instance To Cloud',
})
const tasks = async () =>
  (
    await server.postgres.query<{ is_fetched: boolean; is_finished: boolean }>(
      'SELECT fetched_at IS NOT NULL AS is_fetched, finished_at IS NOT NULL AS is_finished FROM host_tasks WHERE dead_at IS NULL',
    )
  ).rows

it('a mail outlives the worker that was sending it, and its code is good once', async () => {
  const { secret } = (await server.send('POST', '/api/v0/tfa/email', world.keys.renter)).body as {
    secret: string
  }
  // No worker ran to send it. The first one to try is killed with the mail half delivered.
  let victim: Process | undefined
  const smtp = await startSmtp(() => {
    if (!victim) return
    victim.kill('SIGKILL')
    victim = undefined
    throw new Error('the sender is gone')
  })
  try {
    victim = spawn(['worker'], { SMTP_URL: smtp.url })
    expect(await exited(victim)).toBe('SIGKILL')
    expect(smtp.mails).toHaveLength(0)
    spawn(['worker'], { SMTP_URL: smtp.url })
    await vi.waitFor(() => expect(smtp.mails.length).toBeGreaterThan(0), { timeout: 90_000 })
    await vi.waitFor(async () => {
      const { rows } = await server.postgres.query('SELECT FROM outbox WHERE sent_at IS NULL')
      expect(rows).toEqual([])
    }, 60_000)
    expect(new Set(smtp.mails.map(({ raw }) => /^Message-ID: .*$/m.exec(raw)?.[0])).size).toBe(1)
    const code = /^(\d{6}) is your/m.exec(smtp.mails[0]?.raw ?? '')?.[1]
    const regenerate = () =>
      server.send('PUT', '/api/v0/tfa/regen-backup-codes', world.keys.renter, { code, secret })
    expect((await regenerate()).status).toBe(200)
    expect((await regenerate()).status).toBe(400)
  } finally {
    await smtp.close()
  }
})

it('a copy survives the service that handed it over, and a repeated request gets the same one', async () => {
  let victim: Process | undefined
  const trap = await openDispatchTrap(() => {
    victim?.kill('SIGKILL')
  })
  try {
    victim = spawn(['serve'], { CONTROLLER_URL: trap.url })
    const ask = async (one: Process) =>
      fetch(`${await addressOf(one)}/api/v0/commands/copytool`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.keys.renter}`, 'content-type': 'application/json' },
        body: JSON.stringify(copy()),
      })
    await expect(ask(victim)).rejects.toThrow()
    expect(await exited(victim)).toBe('SIGKILL')
    victim = undefined
    expect(await tasks()).toEqual([{ is_fetched: false, is_finished: false }])
    expect((await ask(spawn(['serve'], { CONTROLLER_URL: trap.url }))).status).toBe(200)
    expect(await tasks()).toEqual([{ is_fetched: false, is_finished: false }])
  } finally {
    trap.close()
  }
})

const hasBwrap = needs(
  spawnSync('bwrap', ['--version']).status === 0,
  'no bubblewrap is installed, so the agent is not killed',
)

it.skipIf(!hasBwrap)(
  'a task of a dead agent is not handed out twice, and can be requested again',
  async () => {
    const root = join(dir, 'instances')
    mkdirSync(join(root, `${world.instance_id}`), { recursive: true })
    const program = (name: string, script: string) => {
      const file = join(dir, name)
      writeFileSync(file, `#!/bin/sh\n${script}\n`)
      chmodSync(file, 0o755)
      return file
    }
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
    const agent = (rclone: string) =>
      spawn(['agent', '--url', url, '--machine', `${world.machine_id}`, '--root', root, '--rclone', rclone], {
        AGENT_KEY: world.keys.host,
      })
    const { body } = await server.send('POST', '/api/v0/commands/copytool', world.keys.renter, copy())
    const victim = agent(program('endless', `sleep ${unlikely}`))
    await vi.waitFor(async () => expect(await tasks()).toEqual([{ is_fetched: true, is_finished: false }]), {
      timeout: 90_000,
    })
    await vi.waitFor(() => expect(processesOf(`sleep\0${unlikely}`)).not.toEqual([]), { timeout: 90_000 })
    victim.kill('SIGKILL')
    await exited(victim)
    // Its work does not continue.
    await vi.waitFor(() => expect(processesOf(`sleep\0${unlikely}`)).toEqual([]), { timeout: 90_000 })

    agent(program('copier', 'echo copied'))
    expect((await server.send('POST', '/api/v0/commands/copytool', world.keys.renter, copy())).body).toEqual(
      body,
    )
    await server.postgres.query(`UPDATE host_tasks SET expires_at = rackrate_now() - interval '1 second'`)
    const again = await server.send('POST', '/api/v0/commands/copytool', world.keys.renter, copy())
    const { result_url } = again.body as { result_url: string }
    expect(again.body).not.toEqual(body)
    await vi.waitFor(
      async () => {
        const log = await server.app.inject({ url: new URL(result_url).pathname })
        expect(log.body).toBe('copied\nCloud Copy Operation Complete\n')
      },
      { timeout: 90_000 },
    )
  },
)

const scheduled = async (request_method: 'GET' | 'POST', api_endpoint: string, request_body: object) => {
  const { body } = await server.send('POST', '/api/v0/commands/schedule_job', world.keys.renter, {
    start_time: farStart(),
    frequency: 'HOURLY',
    request_method,
    api_endpoint,
    request_body,
  })
  const { scheduled_job_id: id } = body as { scheduled_job_id: number }
  await server.postgres.query(
    `UPDATE scheduled_jobs SET start_time = rackrate_now() - interval '1 day', next_run_at = date_trunc('hour', rackrate_now()) WHERE id = $1`,
    [id],
  )
  return id
}
const runsOf = async (id: number) =>
  (
    await server.postgres.query<{ outcome: string | null; was_called: boolean }>(
      'SELECT outcome, called_at IS NOT NULL AS was_called FROM scheduled_job_runs WHERE job_id = $1',
      [id],
    )
  ).rows

it('a run that was recorded and not begun is executed later', async () => {
  const id = await scheduled('GET', '/api/v0/ssh', {})
  // The process that recorded it dies here.
  expect((await dueRuns(server.postgres, server.clock.now())).map(({ jobId }) => jobId)).toEqual([id])
  expect(await runsOf(id)).toEqual([{ outcome: null, was_called: false }])
  spawn(['worker'])
  await vi.waitFor(async () => expect(await runsOf(id)).toEqual([{ outcome: 'ok', was_called: true }]), {
    timeout: 90_000,
  })
})

it('a POST whose worker died is not sent twice', async () => {
  let victim: Process | undefined
  const trap = await openDispatchTrap(() => {
    victim?.kill('SIGKILL')
  })
  try {
    const id = await scheduled('POST', '/api/v0/commands/copytool', { ...copy(), src: '/once' })
    victim = spawn(['worker'], { CONTROLLER_URL: trap.url })
    expect(await exited(victim)).toBe('SIGKILL')
    victim = undefined
    expect(await runsOf(id)).toEqual([{ outcome: null, was_called: true }])
    await server.postgres.query(
      `UPDATE scheduled_job_runs SET called_at = called_at - interval '91 seconds' WHERE job_id = $1`,
      [id],
    )
    spawn(['worker'], { CONTROLLER_URL: trap.url })
    // The queue notices after half a minute that the run's worker is gone.
    await vi.waitFor(
      async () =>
        expect(await runsOf(id)).toEqual([{ outcome: 'Interrupted; not repeated', was_called: true }]),
      {
        timeout: 240_000,
        interval: 250,
      },
    )
    expect(trap.dispatched()).toBe(1)
    const { rows } = await server.postgres.query(`SELECT status FROM scheduled_jobs WHERE id = $1`, [id])
    expect(rows).toEqual([{ status: 'PENDING' }])
  } finally {
    trap.close()
  }
})
