import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../server.ts'
import { atOnce, openWorld, type World } from '../world.ts'

// Every resource that can be created can be changed and removed. For teams see team-changes.test.ts.

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
})
afterAll(() => server?.close())

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()
const once = (others: number) => [200, ...Array(19).fill(others)]

interface Library {
  templates: { id: number; hash_id: string; name: string }[]
}

it('a template leaves the library, once, and makes room for another one', async () => {
  const path = `/api/v0/users/${world.renter_id}/templates`
  const save = (names: string[]) =>
    server.send('POST', path, world.keys.renter, { templates: names.map((name) => ({ name, image: 'x' })) })
  for (let n = 0; n < 10; n += 1) await save(Array.from({ length: 50 }, (_, m) => `template ${n} ${m}`))
  expect((await save(['one more'])).status).toBe(400)
  const { templates } = (await server.get(path, world.keys.renter)).body as Library
  expect(templates).toHaveLength(500)
  const [first, second] = templates
  const remove = (body: object, key = world.keys.renter) =>
    server.send('DELETE', '/api/v0/template', key, body)
  // Resources of others are as if they did not exist.
  expect((await remove({ template_id: first?.id }, world.keys.stranger)).status).toBe(404)
  expect((await remove({ template_id: 999_999 }, world.keys.stranger)).status).toBe(404)
  expect((await remove({})).status).toBe(400)
  expect((await remove({ hash_id: second?.hash_id, template_id: first?.id })).status).toBe(404)
  const answers = await atOnce(20, () => remove({ template_id: first?.id }))
  expect(statuses(answers)).toEqual(once(404))
  expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({
    msg: 'The template is deleted.',
  })
  expect((await remove({ hash_id: second?.hash_id })).status).toBe(200)
  expect((await save(['one more'])).status).toBe(200)
  const left = (await server.get(path, world.keys.renter)).body as Library
  expect(left.templates.map(({ name }) => name)).not.toContain(first?.name)
  expect(left.templates).toHaveLength(499)
  // A template that is saved again is back, under its id.
  const back = (await save([first?.name ?? ''])).body as Library
  expect(back.templates[0]?.id).toBe(first?.id)
})

it('a public template that another account deletes stays in the libraries of others', async () => {
  const template = { name: 'public', image: 'x', private: false }
  const save = (id: number, key: string) =>
    server.send('POST', `/api/v0/users/${id}/templates`, key, { templates: [template] })
  const { id, hash_id } = ((await save(world.host_id, world.keys.host)).body as Library).templates[0] ?? {}
  await save(world.stranger_id, world.keys.stranger)
  expect((await server.send('DELETE', '/api/v0/template/', world.keys.host, { hash_id })).status).toBe(200)
  const kept = await server.get(`/api/v0/users/${world.stranger_id}/templates`, world.keys.stranger)
  expect((kept.body as Library).templates.map((one) => one.id)).toContain(id)
})

it('a volume listing ends, unless a volume of it is rented', async () => {
  const list = async () => {
    const { body } = await server.send('POST', '/api/v0/volumes', world.keys.host, {
      machine: world.machine_id,
    })
    const { new_contracts, upd_contracts } = (
      body as { results: { new_contracts: { id: number }[]; upd_contracts: number[] }[] }
    ).results[0] ?? { new_contracts: [], upd_contracts: [] }
    return new_contracts[0]?.id ?? upd_contracts[0]
  }
  const listed = async () =>
    (
      (await server.get(`/api/v0/machines/${world.machine_id}/volumes`, world.keys.host)).body as {
        volumes: []
      }
    ).volumes
  const unlist = (id: unknown, key = world.keys.host) =>
    server.send('POST', '/api/v0/volumes/unlist', key, { id })
  const id = await list()
  expect(await unlist(id, world.keys.renter)).toEqual(
    expect.objectContaining({ body: (await unlist(999_999, world.keys.renter)).body, status: 400 }),
  )
  await server.postgres.query(
    `INSERT INTO volume_contracts (listing_id, machine_id, account_id, size, price_disk, ends_at)
     VALUES ($1, $2, $3, 5, 1, rackrate_now() + interval '1 day')`,
    [id, world.machine_id, world.renter_id],
  )
  expect(await unlist(id)).toMatchObject({ status: 400, body: { msg: 'A volume of this listing is rented' } })
  expect(await listed()).toHaveLength(1)
  await server.postgres.query('UPDATE volume_contracts SET ended_at = rackrate_now()')
  const answers = await atOnce(20, () => unlist(`${id}`))
  expect(statuses(answers)).toEqual(once(400))
  expect(await listed()).toEqual([])
  expect(await list()).not.toBe(id)
})

it('the text of an SSH key changes, and never to one that the account has', async () => {
  const text = (last: string) =>
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUF${last}`
  const add = async (ssh_key: string) =>
    (
      (await server.send('POST', '/api/v0/ssh', world.keys.renter, { ssh_key })).body as {
        key: { id: number }
      }
    ).key.id
  const [one, other] = [await add(text('BQUA')), await add(text('BQUB'))]
  const change = (body: object, id: unknown = one, key = world.keys.renter) =>
    server.send('PUT', `/api/v0/ssh/${id}/`, key, body)
  const answers = await atOnce(20, () => change({ id: one, ssh_key: `${text('BQUC')} laptop` }))
  expect(statuses(answers)).toEqual(Array(20).fill(200))
  expect(answers[0]?.body).toMatchObject({
    success: true,
    key: { id: one, public_key: `${text('BQUC')} laptop` },
  })
  expect((await change({ ssh_key: text('BQUB') })).status).toBe(400)
  expect((await change({ ssh_key: 'no key' })).status).toBe(400)
  expect((await change({ id: other, ssh_key: text('BQUD') })).status).toBe(400)
  expect((await change({ ssh_key: text('BQUD') }, one, world.keys.stranger)).status).toBe(404)
  expect((await change({ ssh_key: text('BQUD') }, 999_999)).status).toBe(404)
  // One of two concurrent changes to the same text succeeds.
  const race = await Promise.all([one, other].map((id) => change({ ssh_key: text('BQUE') }, id)))
  expect(statuses(race)).toEqual([200, 400])
})
