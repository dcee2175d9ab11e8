import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isPrivate } from '../../platform/security/private-network.ts'
import { sealCredentials } from '../../src/companion/cloud/credentials.ts'
import { type Controller, openController, polledByAgents } from '../../src/companion/copytool/controller.ts'
import { needs } from '../needs.ts'
import { exited, spawnRackrate } from '../process.ts'
import { startServer, type TestServer } from '../server.ts'
import { atOnce, keyWith, openWorld, type World } from '../world.ts'

let server: TestServer
let world: World
let controller: Controller = polledByAgents
beforeAll(async () => {
  server = await startServer({ controller: (...task) => controller(...task) })
  world = await openWorld(server)
})
afterAll(() => server?.close())
beforeEach(async () => {
  controller = polledByAgents
  await server.postgres.query('DELETE FROM host_tasks')
})

type Body = Record<string, unknown>
const copy = (changes: Body = {}, key = world.keys.renter) =>
  server.send('POST', '/api/v0/commands/copytool/', key, {
    instance_id: `${world.instance_id}`,
    src: '/workspace',
    dst: '/bucket/backup',
    selected: world.cloud_connection_id,
    transfer: 'instance to cloud',
    ...changes,
  })
const waiting = async () =>
  (
    (await server.get(`/api/v0/machines/${world.machine_id}/tasks/`, world.keys.host)).body as {
      tasks: { token: string }[]
    }
  ).tasks.map(({ token }) => token)
const host = (token: string, action: string, body?: unknown, key = world.keys.host) =>
  server.send('POST', `/api/v0/host_tasks/${token}/${action}`, key, body)
const started = {
  status: 200,
  body: { success: true, msg: 'Sending Command... Please Wait', result_url: expect.stringMatching(/^http/) },
}
const logAt = ({ body }: { body: unknown }) =>
  server.app.inject({ url: new URL((body as { result_url: string }).result_url).pathname })

it('the documented curl works with the ids of a demo', async () => {
  const page = readFileSync('docs/api/copytool.md', 'utf8')
  const [, body = ''] = /-d '(\{.*\})'/.exec(page) ?? []
  const ids: Record<string, number> = { INSTANCE: world.instance_id, CONNECTION: world.cloud_connection_id }
  const filled = body.replace(/'\$(\w+)'/g, (_, name: string) => `${ids[name]}`)
  const answer = await server.send('POST', '/api/v0/commands/copytool', world.keys.renter, JSON.parse(filled))
  expect([body.includes('$INSTANCE'), body.includes('$CONNECTION'), answer.status]).toEqual([true, true, 200])
})

describe('the handoff', () => {
  it('a task is fetched once, with the credentials, and its log can be polled', async () => {
    const answer = await copy({ flags: ['--dry-run', '--update'] })
    expect(answer).toMatchObject(started)
    expect((await logAt(answer)).statusCode).toBe(404)
    const [token = ''] = await waiting()
    const fetched = await host(token, 'fetch')
    expect(fetched.body).toEqual({
      success: true,
      machine_id: world.machine_id,
      task: {
        instance_id: world.instance_id,
        src: '/workspace',
        dst: '/bucket/backup',
        transfer: 'Instance To Cloud',
        flags: ['--dry-run', '--update'],
      },
      cloud: {
        provider: 's3',
        credentials: { access_key_id: 'demo', secret_access_key: 'demo-secret', region: 'eu-central-1' },
      },
    })
    expect(fetched.headers['cache-control']).toBe('no-store')
    expect((await host(token, 'fetch')).status).toBe(404)
    expect(await waiting()).toEqual([])

    expect((await logAt(answer)).statusCode).toBe(404)
    expect((await host(token, 'log', { offset: 0, text: 'one with demo-sec' })).body).toEqual({
      success: true,
      received: 17,
    })
    expect((await host(token, 'log', { offset: 0, text: 'one with demo-sec' })).body).toEqual({
      success: true,
      received: 17,
    })
    expect((await host(token, 'log', { offset: 17, text: 'ret in it\n' })).body).toEqual({
      success: true,
      received: 27,
    })
    expect((await host(token, 'log', { offset: 99, text: 'from the future' })).body).toEqual({
      success: true,
      received: 27,
    })
    const log = await logAt(answer)
    expect([log.statusCode, log.headers['content-type'], log.body]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'one with *** in it\n',
    ])

    expect((await host(token, 'finish', { exit_code: 0 })).status).toBe(200)
    expect((await host(token, 'finish', { exit_code: 3 })).status).toBe(200)
    expect((await logAt(answer)).body).toBe('one with *** in it\nCloud Copy Operation Complete\n')
    expect((await host(token, 'log', { offset: 27, text: 'after the end' })).status).toBe(404)
  })

  it('one of twenty concurrent fetches gets the task', async () => {
    await copy()
    const [token = ''] = await waiting()
    const answers = await atOnce(20, () => host(token, 'fetch'))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)])
  })

  it('the same copy again, before it has finished, is the same copy', async () => {
    const answers = await atOnce(20, () => copy())
    const urls = new Set(answers.map(({ body }) => (body as { result_url: string }).result_url))
    expect(urls.size).toBe(1)
    const [token = '', ...others] = await waiting()
    expect(others).toEqual([])
    await host(token, 'fetch')
    expect(urls).toContain(((await copy()).body as { result_url: string }).result_url)
    expect(await waiting()).toEqual([])
    await host(token, 'finish', { exit_code: 0 })
    expect(urls).not.toContain(((await copy()).body as { result_url: string }).result_url)
    expect(await waiting()).toHaveLength(1)
  })

  it('neither an expired nor a given-up task is handed out', async () => {
    await copy()
    const [token = ''] = await waiting()
    await server.postgres.query(`UPDATE host_tasks SET expires_at = rackrate_now() - interval '1 second'`)
    expect(await waiting()).toEqual([])
    expect((await host(token, 'fetch')).status).toBe(404)
    expect(await copy()).toMatchObject(started)
    const [fresh = ''] = await waiting()
    expect(fresh).not.toBe(token)
  })

  it('deleting the connection forgets its credentials and gives the copy up', async () => {
    const { id } = (
      await server.send('POST', '/api/v0/users/cloud_integrations', world.keys.renter, {
        name: 'short-lived',
        cloud_type: 'b2',
        credentials: { account: 'someaccount', key: 'somekey-somekey' },
      })
    ).body as { id: number }
    await copy({ selected: `${id}` })
    const [token = ''] = await waiting()
    expect(
      (await server.send('DELETE', `/api/v0/users/cloud_integrations/${id}/`, world.keys.renter)).status,
    ).toBe(200)
    expect((await host(token, 'fetch')).status).toBe(404)
    const { rows } = await server.postgres.query<{ credentials_sealed: Buffer }>(
      'SELECT credentials_sealed FROM cloud_connections WHERE id = $1',
      [id],
    )
    expect(rows[0]?.credentials_sealed).toHaveLength(0)
    expect(await copy({ selected: id })).toMatchObject({ status: 404 })
    const { rows: kept } = await server.postgres.query(
      'SELECT FROM host_tasks WHERE credentials_sealed IS NOT NULL',
    )
    expect(kept).toEqual([])
  })

  it("a token is good for the machine's host only", async () => {
    await copy()
    const [token = ''] = await waiting()
    for (const key of [world.keys.stranger, world.keys.renter, world.keys.team])
      expect(await host(token, 'fetch', undefined, key)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })
    await host(token, 'fetch')
    expect((await host(token, 'log', { offset: 0, text: 'x' }, world.keys.stranger)).status).toBe(404)
    expect((await host(token, 'finish', { exit_code: 0 }, world.keys.stranger)).status).toBe(404)
    expect((await server.get(`/api/v0/machines/${world.machine_id}/tasks`, world.keys.stranger)).status).toBe(
      404,
    )
  })

  it('no piece of a secret gets into the log, however it comes', async () => {
    const token_ = { access_token: 'ya29.SECRETSECRET', refresh_token: '1//REFRESHREFRESH', expiry: '2030' }
    const connect = async (credentials: object) =>
      (
        (
          await server.send('POST', '/api/v0/users/cloud_integrations', world.keys.renter, {
            name: 'changing',
            cloud_type: 'drive',
            credentials,
          })
        ).body as { id: number }
      ).id
    const selected = await connect({ token: JSON.stringify(token_) })
    const answer = await copy({ selected })
    const [token = ''] = await waiting()
    await host(token, 'fetch')
    // The credentials are replaced while the copy runs; the host has the old ones.
    await connect({ token: 'another-token' })
    const text = `a ya29.SECRETSECRET b 1//REFRESHREFRESH c ${JSON.stringify(token_)} d\n`
    const masked = 'a *** b *** c {"access_token":"***","refresh_token":"***","expiry":"2030"} d\n'
    for (let offset = 0; offset < text.length; offset += 7) {
      await host(token, 'log', { offset, text: text.slice(offset, offset + 7) })
      expect((await logAt(answer)).body).not.toMatch(/ya29|SECRET|1\/\/|REFRESH/)
    }
    expect((await logAt(answer)).body).toBe(masked)
    await host(token, 'log', { offset: text.length, text: 'cut: ya29.SECR' })
    await host(token, 'finish', { exit_code: 1 })
    expect((await logAt(answer)).body).toBe(`${masked}cut: ***\nCloud Copy Operation Failed (exit code 1)\n`)
    const { rows } = await server.postgres.query(
      'SELECT FROM host_tasks WHERE credentials_sealed IS NOT NULL',
    )
    expect(rows).toEqual([])
  })

  it('neither tokens nor credentials are stored in clear', async () => {
    await copy()
    const [token = ''] = await waiting()
    await host(token, 'fetch')
    for (const table of ['host_tasks', 'cloud_connections']) {
      const { rows } = await server.postgres.query<{ row: string }>(
        `SELECT row_to_json(t)::text AS row FROM ${table} t`,
      )
      expect(rows.map(({ row }) => row).join()).not.toMatch(new RegExp(`${token}|demo-secret`))
    }
  })
})

describe('a copy is refused', () => {
  it.each(['stopped', 'offline', 'exited'])('an instance that is %s', async (status) => {
    const setStatus = (to: string) =>
      server.postgres.query('UPDATE contracts SET actual_status = $2 WHERE id = $1', [world.instance_id, to])
    await setStatus(status)
    expect(await copy()).toMatchObject({
      status: 404,
      body: { error: 'not_found', msg: 'There is no such running instance' },
    })
    await setStatus('running')
    expect((await copy()).status).toBe(200)
  })

  it.each([
    [{ instance_id: undefined }, 400],
    [{ instance_id: 'x' }, 400],
    [{ instance_id: 2_000_000_000 }, 404],
    [{ selected: 2_000_000_000 }, 404],
    [{ selected: null }, 400],
    [{ src: undefined }, 400],
    [{ src: '' }, 400],
    [{ src: '/a/../../etc' }, 400],
    [{ src: '..' }, 400],
    [{ dst: 'x\n--flag' }, 400],
    [{ dst: 'x'.repeat(5000) }, 400],
    [{ src: ['/a'] }, 400],
    [{ transfer: 'Cloud To Cloud' }, 400],
    [{ transfer: undefined }, 400],
    [{ flags: ['--config=/etc/passwd'] }, 400],
    [{ flags: ['--dry-run; rm -rf /'] }, 400],
    [{ flags: '--dry-run' }, 400],
    [{ flags: Array(1000).fill('--dry-run') }, 400],
  ])('%j', async (changes, status) => {
    expect(await copy(changes)).toMatchObject({
      status,
      body: { success: false, error: status === 400 ? 'invalid_args' : 'not_found', msg: expect.any(String) },
    })
    expect(await waiting()).toEqual([])
  })

  it('instances of other accounts and past instances are 404 alike', async () => {
    const unknown = await copy({ instance_id: 2_000_000_000 })
    expect(await copy({}, world.keys.stranger)).toMatchObject({ status: 404, body: unknown.body })
    expect(await copy({}, world.keys.host)).toMatchObject({ status: 404, body: unknown.body })
    expect((await copy({}, await keyWith(server, world.renter_id, 'instance_read'))).status).toBe(403)
    await server.postgres.query('UPDATE contracts SET ended_at = rackrate_now() WHERE id = $1', [
      world.instance_id,
    ])
    expect(await copy()).toMatchObject({ status: 404, body: unknown.body })
    await server.postgres.query(
      `UPDATE contracts SET ended_at = NULL, starts_at = rackrate_now() - interval '1 day', ends_at = rackrate_now() - interval '1 hour' WHERE id = $1`,
      [world.instance_id],
    )
    expect(await copy()).toMatchObject({ status: 404, body: unknown.body })
    await server.postgres.query('UPDATE contracts SET ends_at = NULL WHERE id = $1', [world.instance_id])
  })

  it.each(['evil.example', 'a b', '%', 'x:y:z'])(
    'a URL never repeats the Host header %j',
    async (hostHeader) => {
      const response = await server.app.inject({
        method: 'POST',
        url: '/api/v0/commands/copytool',
        headers: { authorization: `Bearer ${world.keys.renter}`, host: hostHeader },
        payload: {
          instance_id: world.instance_id,
          src: '/of-a-strange-host',
          dst: '/b',
          selected: world.cloud_connection_id,
          transfer: 'Instance To Cloud',
        },
      })
      expect(response.statusCode).toBe(200)
      expect(response.json().result_url).toMatch(/^http:\/\/localhost\/api\/v0\//)
      const [token = ''] = await waiting()
      if (token) await host(token, 'fetch')
    },
  )

  it.each(['no-uuid', '00000000-0000-4000-8000-000000000000', "'", '%00'])(
    'there is no log %s',
    async (id) => {
      const response = await server.app.inject({ url: `/api/v0/commands/copytool/results/${id}` })
      expect([response.statusCode, response.json().error]).toEqual([404, 'not_found'])
    },
  )

  it.each([
    ['sftp', { host: 'x' }],
    ['local', {}],
    ['s3', { access_key_id: 'a', secret_access_key: 'b', type: 'local' }],
    ['webdav', { url: 'file:///etc/passwd' }],
    ['webdav', { url: 'https://me:password@dav.example.com/' }],
    ['webdav', { url: 'http://169.254.169.254/' }],
    ['webdav', { url: 'http://[::1]/' }],
    ['webdav', { url: 'http://2130706433/' }],
    ['webdav', { url: 'http://[::ffff:10.0.0.1]/' }],
    ['webdav', { url: 'http://localhost:8080/' }],
    ['s3', { access_key_id: 'a', secret_access_key: 'b', endpoint: 'http://192.168.1.1' }],
    ['webdav', { url: 'http://x', bearer_token_command: 'sh -c id' }],
    ['b2', { account: 'a' }],
    ['__proto__', {}],
  ])('a connection of type %s with %j', async (cloud_type, credentials) => {
    expect(
      await server.send('POST', '/api/v0/users/cloud_integrations', world.keys.renter, {
        name: 'x',
        cloud_type,
        credentials,
      }),
    ).toMatchObject({ status: 400, body: { error: 'invalid_args' } })
  })

  it('credentials never come out', async () => {
    const { body } = await server.get('/api/v0/users/cloud_integrations/', world.keys.renter)
    expect((body as object[])[0]).toMatchObject({
      id: world.cloud_connection_id,
      name: 'Demo bucket',
      cloud_type: 's3',
    })
    expect(JSON.stringify(body)).not.toMatch(/secret|sealed/)
    expect((await server.get('/api/v0/users/cloud_integrations', world.keys.stranger)).body).toEqual([])
    expect(
      (
        await server.send(
          'DELETE',
          `/api/v0/users/cloud_integrations/${world.cloud_connection_id}`,
          world.keys.stranger,
        )
      ).status,
    ).toBe(404)
  })
})

describe('a controller', () => {
  const withController = async (
    listener: RequestListener,
    work: (heard: Body[]) => Promise<void>,
    timeoutMs = 60_000,
  ) => {
    const heard: Body[] = []
    const http = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        heard.push(JSON.parse(body))
        listener(request, response)
      })
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    controller = openController(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, timeoutMs)
    try {
      await work(heard)
    } finally {
      http.closeAllConnections()
      http.close()
    }
  }
  const stays = async () => {
    expect(await copy()).toMatchObject(started)
    const [token = ''] = await waiting()
    expect((await host(token, 'fetch')).status).toBe(200)
  }

  it('acknowledges a task', () =>
    withController(
      (_request, response) => response.end('{"success": true}'),
      async (heard) => {
        await stays()
        expect(heard).toEqual([
          { machine_id: world.machine_id, token: expect.stringMatching(/^[0-9a-f]{64}$/) },
        ])
      },
    ))
  it('leaves the token live when it does not answer in time', () => withController(() => {}, stays, 300))
  it('leaves the token live when its answer is no JSON', () =>
    withController((_request, response) => response.end('<html>'), stays))
  it('leaves the token live when it hangs up', () =>
    withController((request) => request.socket.destroy(), stays))

  const isDead = async () => {
    expect(await copy()).toMatchObject({
      status: 503,
      body: { success: false, error: 'could_not_dispatch', msg: 'Could Not Dispatch Cloud Copy' },
    })
    expect(await waiting()).toEqual([])
    const { rows } = await server.postgres.query('SELECT FROM host_tasks WHERE dead_at IS NULL')
    expect(rows).toEqual([])
  }
  it('ends the token when it cannot reach the host', () =>
    withController((_request, response) => response.end('{"success": false}'), isDead))
  it('ends the token when it is not there', async () => {
    const socket = createSocket().listen(0, '127.0.0.1')
    await new Promise((resolve) => socket.once('listening', resolve))
    const { port } = socket.address() as AddressInfo
    await new Promise((resolve) => socket.close(resolve))
    controller = openController(`http://127.0.0.1:${port}`)
    await isDead()
  })
  it('gives two equal requests the same answer when it reaches the host for only one', async () => {
    let asked = 0
    controller = async () => {
      asked += 1
      return asked % 2 ? 'unreachable' : 'delivered'
    }
    for (let round = 0; round < 10; round += 1) {
      const answers = await atOnce(4, () => copy({ src: `/round${round}` }))
      const { rows } = await server.postgres.query(
        'SELECT FROM host_tasks WHERE dead_at IS NULL AND fetched_at IS NULL',
      )
      if (answers.some(({ status }) => status === 200)) expect(rows).toHaveLength(1)
      await server.postgres.query('DELETE FROM host_tasks')
    }
    controller = async () => 'delivered'
    expect((await copy()).status).toBe(200)
    controller = async () => 'unreachable'
    expect((await copy()).status).toBe(200) // The first client got the answer that the copy has started.
    expect(await waiting()).toHaveLength(1)
  })

  it('ends the token of an offline machine', async () => {
    await server.postgres.query('UPDATE machines SET online = false WHERE id = $1', [world.machine_id])
    await isDead()
    await server.postgres.query('UPDATE machines SET online = true WHERE id = $1', [world.machine_id])
    expect(await copy()).toMatchObject(started)
  })
})

// An address of this machine in its own network: for a loopback address programs use no proxy.
const outwards = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal && isPrivate(one.address))?.address
const hasRclone = needs(
  outwards !== undefined && ['rclone', 'bwrap'].every((name) => spawnSync(name, ['--version']).status === 0),
  'rclone, bubblewrap or a network is missing, so the agent does not copy to a real cloud',
)

describe.skipIf(!hasRclone)('the reference agent, with a real rclone and a real cloud', () => {
  let dir: string
  let cloud: ReturnType<typeof spawn>
  let agent: ReturnType<typeof spawnRackrate>
  let connection: number
  let outside: string
  let address: string
  const startAgent = (...more: string[]) =>
    spawnRackrate(
      [
        'agent',
        '--url',
        address,
        '--machine',
        `${world.machine_id}`,
        '--root',
        join(dir, 'instances'),
        ...more,
      ],
      { AGENT_KEY: world.keys.host },
    )

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'rackrate-agent-'))
    mkdirSync(join(dir, 'cloud'))
    mkdirSync(join(dir, 'instances', `${world.instance_id}`, 'workspace'), { recursive: true })
    writeFileSync(
      join(dir, 'instances', `${world.instance_id}`, 'workspace', 'result $(id).txt'),
      'forty-two',
    )
    cloud = spawn(
      'rclone',
      [
        'serve',
        'webdav',
        '--addr',
        `${outwards}:0`,
        '--user',
        'me',
        '--pass',
        'open sesame',
        join(dir, 'cloud'),
      ],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    const url = await new Promise<string>((resolve) => {
      cloud.stderr?.setEncoding('utf8').on('data', (text: string) => {
        const found = /http:\/\/[\d.]+:\d+/.exec(text)?.[0]
        if (found) resolve(found)
      })
    })
    // Written to the database, since the API refuses clouds in a private network.
    const { rows } = await server.postgres.query<{ id: number }>(
      `INSERT INTO cloud_connections (account_id, name, provider, credentials_sealed) VALUES ($1, 'webdav', 'webdav', $2) RETURNING id`,
      [
        world.renter_id,
        sealCredentials(server.vault, world.renter_id, { url, user: 'me', pass: 'open sesame' }),
      ],
    )
    connection = rows[0]?.id ?? 0
    const base = await server.app.listen({ host: '127.0.0.1', port: 0 })
    outside = join(dir, 'outside')
    mkdirSync(outside)
    symlinkSync(outside, join(dir, 'instances', `${world.instance_id}`, 'restored'))
    mkdirSync(join(dir, 'instances', `${world.instance_id}`, 'nested'))
    symlinkSync(outside, join(dir, 'instances', `${world.instance_id}`, 'nested', 'inside'))
    address = base
    agent = startAgent('--allow-private-clouds')
  })
  afterAll(async () => {
    agent?.kill('SIGINT')
    if (agent) expect(await exited(agent)).toBe(0)
    cloud?.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  })

  const logOf = async (changes: Body) => {
    const answer = await copy({ selected: connection, ...changes })
    expect(answer).toMatchObject(started)
    return vi.waitFor(
      async () => {
        const { statusCode, body } = await logAt(answer)
        expect([statusCode, body]).toEqual([200, expect.stringMatching(/Cloud Copy Operation/)])
        return body
      },
      { timeout: 90_000, interval: 200 },
    )
  }

  it('copies to the cloud and back', async () => {
    expect(await logOf({ src: '/workspace', dst: '/deep/inside' })).toMatch(
      /Cloud Copy Operation Complete\n$/,
    )
    expect(readFileSync(join(dir, 'cloud', 'deep', 'inside', 'result $(id).txt'), 'utf8')).toBe('forty-two')
    expect(await logOf({ src: '/deep', dst: 'back', transfer: 'CLOUD TO INSTANCE' })).toMatch(/Complete\n$/)
    expect(
      readFileSync(
        join(dir, 'instances', `${world.instance_id}`, 'back', 'inside', 'result $(id).txt'),
        'utf8',
      ),
    ).toBe('forty-two')
  })

  it('does not leave the instance, whatever links there are', async () => {
    // A link at the root of the copy, and one below it; rclone follows both, and they lead nowhere.
    expect(await logOf({ src: '/deep', dst: '/restored', transfer: 'Cloud To Instance' })).toMatch(/Failed/)
    expect(await logOf({ src: '/deep', dst: '/nested', transfer: 'Cloud To Instance' })).toMatch(/Failed/)
    expect(readdirSync(outside)).toEqual([])
    writeFileSync(join(outside, 'secret'), 'of the host')
    expect(await logOf({ src: '/restored', dst: '/stolen' })).toMatch(/Failed/)
    expect(existsSync(join(dir, 'cloud', 'stolen', 'secret'))).toBe(false)
  })

  it('reports what failed, and no password', async () => {
    const log = await logOf({ src: '/nothing', dst: '/x' })
    expect(log).toMatch(/Failed \(exit code \d+\)\n$/)
    expect(`${log}${agent.output()}`).not.toContain('sesame')
  })

  it("does not access the host's own network unless it is allowed", async () => {
    agent.kill('SIGINT')
    await exited(agent)
    agent = startAgent()
    expect(await logOf({ src: '/workspace', dst: '/x' })).toMatch(/403|Forbidden/)
  })
})
