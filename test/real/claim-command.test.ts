import { afterAll, beforeAll, expect, it } from 'vitest'
import type { machinesAnswer } from '../../contract/machines.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'
import { startServer, type TestServer } from '../server.ts'
import { openTwoSources } from '../two-sources.ts'

let sources: Awaited<ReturnType<typeof openTwoSources>>
let server: TestServer
beforeAll(async () => {
  sources = await openTwoSources()
  await sources.take(0)
  await sources.load()
  server = await startServer({ databases: sources.databases, markets: [sources.market] })
})
afterAll(async () => {
  await server?.app.close()
  await sources?.close()
})

async function claim(...args: string[]) {
  const { queues, clickhouseAddress } = sources.databases
  const child = spawnRackrate(['claim', ...args], environmentOf(queues, clickhouseAddress))
  return { code: await exited(child), output: child.output() }
}

it('`rackrate claim` adds own machines of a source, lists them and removes them', async () => {
  const { postgres } = sources.databases
  expect(await claim('--source', 'vast', '--host', '50', '--account', 'none@example.com')).toEqual({
    code: 2,
    output: 'rackrate: There is no host or admin none@example.com.\n',
  })
  const { key } = await createKeyFor(postgres, { role: 'host' })
  // The only host of the site, beside an admin.
  const added = await claim('--source', 'vast', '--host', '50', '51')
  expect(added).toEqual({
    code: 0,
    output: expect.stringMatching(/claims:\n {2}vast: hosts 50, 51\. 18 machines/),
  })
  expect(added.output).toContain('Unproven: the claim was not checked.')
  const more = await claim('--source', 'vast', '--machine', '1002', '--json')
  expect(JSON.parse(more.output)).toMatchObject({
    claims: [{ source: 'vast', hosts: [50, 51], machines: [1002], taken: { machines: 19 } }],
  })
  const own = (await server.get('/api/v0/metrics/machines?source=vast', key))
    .body as (typeof machinesAnswer)['_output']
  expect(own.machines).toHaveLength(19)

  expect(await claim('--source', 'vast', '--machine', '5')).toEqual({
    code: 2,
    output: 'rackrate: machines: vast has shown no machine 5 in the last 30 days.\n',
  })
  expect(await claim('--source', 'nope', '--host', '50')).toMatchObject({
    code: 2,
    output: expect.stringContaining('This site has no source nope. Its sources: exporter, vast.'),
  })
  const left = await claim('--source', 'vast', '--remove', '--host', '51', '--machine', '1002')
  expect(left.output).toMatch(/vast: hosts 50\. 9 machines/)
  expect((await claim()).output).toBe(left.output)

  const other = await createKeyFor(postgres, { role: 'host', email: 'two@example.com' })
  expect(other.key).toBeTruthy()
  expect(await claim()).toMatchObject({
    code: 2,
    output: expect.stringContaining('Give the account of the claim with --account'),
  })
  expect((await claim('--account', 'Two@example.com')).output).toMatch(/claims no machines\.\n$/)
  const { account } = JSON.parse(added.output.startsWith('{') ? added.output : more.output)
  expect((await claim('--remove', '--source', 'vast', '--account', `${account}`)).output).toMatch(
    /claims no machines\.\n$/,
  )
})
