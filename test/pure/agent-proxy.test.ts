import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProxy } from '../../src/agent/proxy.ts'

const dir = mkdtempSync(join(tmpdir(), 'rackrate-proxy-test-'))
const inside = createServer((_request, response) => response.end('of the host'))
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  port = (inside.address() as AddressInfo).port
})
afterAll(() => {
  inside.close()
  rmSync(dir, { recursive: true })
})

const ask = (socketPath: string, path: string) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    request({ socketPath, path }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
      .on('error', reject)
      .end()
  })
const tunnel = (socketPath: string, path: string) =>
  new Promise<number>((resolve, reject) => {
    request({ socketPath, method: 'CONNECT', path })
      .on('connect', (response, socket) => {
        socket.destroy()
        resolve(response.statusCode ?? 0)
      })
      .on('error', reject)
      .end()
  })

describe.each([false, true])("the agent's proxy, the host's own network allowed: %s", (allowed) => {
  const socket = join(dir, `${allowed}.sock`)
  let proxy: Awaited<ReturnType<typeof openProxy>>
  beforeAll(async () => {
    proxy = await openProxy(socket, allowed)
  })
  afterAll(() => proxy.close())

  it.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])('to %s', async (host) => {
    const { status, body } = await ask(socket, `http://${host}:${port}/x`)
    expect([status, body === 'of the host']).toEqual(allowed ? [200, true] : [403, false])
    expect(await tunnel(socket, `${host}:${port}`)).toBe(allowed ? 200 : 403)
  })

  it('to nowhere', async () => {
    expect((await ask(socket, '/no-url')).status).toBe(403)
    expect((await ask(socket, 'http://no-such-host.invalid/')).status).toBe(403)
    expect(await tunnel(socket, 'no-such-host.invalid:443')).toBe(403)
  })
})

it('private networks are refused without asking them', async () => {
  const proxy = await openProxy(join(dir, 'strict.sock'), false)
  for (const host of [
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '172.16.0.1',
    '100.64.0.1',
    '[fd00::1]',
    '[fe80::1]',
    '0.0.0.0',
  ])
    expect((await ask(join(dir, 'strict.sock'), `http://${host}/`)).status, host).toBe(403)
  proxy.close()
})
