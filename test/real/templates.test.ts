import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../server.ts'
import { atOnce, keyWith, openWorld, type World } from '../world.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
})
afterAll(() => server?.close())
beforeEach(async () => {
  await server.postgres.query('DELETE FROM template_library')
  await server.postgres.query('DELETE FROM templates')
})

interface Template extends Record<string, unknown> {
  id: number
  hash_id: string
  name: string
}
const save = async (body: unknown, who: 'renter' | 'stranger' = 'renter') => {
  const userId = who === 'renter' ? world.renter_id : world.stranger_id
  const answer = await server.send('POST', `/api/v0/users/${userId}/templates/`, world.keys[who], body)
  return { ...answer, templates: (answer.body as { templates: Template[] }).templates }
}
const template = (name: string, more: object = {}) => ({ name, image: 'pytorch/pytorch', ...more })

describe('POST users/{user_id}/templates', () => {
  it('saves with the defaults', async () => {
    const { status, body } = await save({ templates: [template('plain', { env: null, unknown_field: 1 })] })
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        templates: [
          {
            ...template('plain'),
            id: expect.any(Number),
            hash_id: expect.stringMatching(/^[0-9a-f]{32}$/),
            creator_id: world.renter_id,
            created_at: expect.any(Number),
            count_created: 0,
            tag: 'latest',
            env: '',
            onstart: '',
            runtype: 'ssh',
            ssh_direct: false,
            jup_direct: false,
            jupyter_dir: '',
            use_jupyter_lab: false,
            use_ssh: false,
            docker_login_repo: '',
            docker_login_user: '',
            extra_filters: {},
            recommended_disk_space: 8,
            desc: '',
            readme: '',
            readme_visible: false,
            args_str: '',
            href: '',
            repo: '',
            private: false,
            volume_info: null,
          },
        ],
      },
    ])
  })

  it('equal content is one template, also across accounts when it is public', async () => {
    const { templates: first } = await save({
      templates: [template('same', { extra_filters: { a: 1, b: { c: 2, d: 3 } } })],
    })
    const { templates: again } = await save({
      templates: [template('same', { extra_filters: { b: { d: 3, c: 2 }, a: 1 }, tag: 'latest' })],
    })
    expect(again).toEqual(first)
    const { templates: theirs } = await save(
      { templates: [template('same', { extra_filters: { a: 1, b: { c: 2, d: 3 } } })] },
      'stranger',
    )
    expect(theirs.map(({ id, creator_id }) => [id, creator_id])).toEqual([[first[0]?.id, world.renter_id]])
    const { templates: mine } = await save({ templates: [template('secret', { private: true })] })
    const { templates: other } = await save(
      { templates: [template('secret', { private: true })] },
      'stranger',
    )
    expect(other[0]?.id).not.toBe(mine[0]?.id)
    expect(other[0]?.creator_id).toBe(world.stranger_id)
  })

  it('an edit is a new version; is_an_edit drops the one before', async () => {
    const { templates: before } = await save({ templates: [template('v1')] })
    const old = before[0] as Template
    const kept = await save({ templates: [template('v2', { id: `${old.id}` })] })
    expect(kept.templates.map(({ name }) => name)).toEqual(['v2', 'v1'])
    expect(kept.templates[0]?.hash_id).not.toBe(old.hash_id)
    const replaced = await save({ templates: [template('v3', { id: old.id })], is_an_edit: true })
    expect(replaced.templates.map(({ name }) => name)).toEqual(['v3', 'v2'])
    const same = await save({
      templates: [template('v3', { id: replaced.templates[0]?.id })],
      is_an_edit: true,
    })
    expect(same.templates).toEqual(replaced.templates)
    const again = await save({ templates: [template('v3', { id: old.id })], is_an_edit: true })
    expect(again.templates).toEqual(replaced.templates.map((one) => expect.objectContaining({ id: one.id })))
    expect(await save({ templates: [template('v4', { id: 999_999 })] })).toMatchObject({
      status: 400,
      body: { error: 'invalid_args' },
    })
  })

  it('the referral template first, then most recently updated first', async () => {
    const { templates } = await save({ templates: [template('a'), template('b'), template('c')] })
    expect(templates.map(({ name }) => name)).toEqual(['c', 'b', 'a'])
    const b = templates[1]?.id
    expect(
      (await save({ templates: [template('a')], referral_template_id: `${b}` })).templates.map(
        ({ name }) => name,
      ),
    ).toEqual(['b', 'a', 'c'])
    expect(
      (await save({ templates: [], referral_template_id: templates[0]?.id })).templates.map(
        ({ name }) => name,
      ),
    ).toEqual(['c', 'a', 'b'])
    expect(await save({ templates: [], referral_template_id: 999_999 })).toMatchObject({ status: 400 })
    const { templates: theirs } = await save({ templates: [template('x', { private: true })] }, 'stranger')
    expect(await save({ templates: [], referral_template_id: theirs[0]?.id })).toMatchObject({ status: 400 })
    expect(
      (await save({ templates: [], referral_template_id: b }, 'stranger')).templates.map(({ name }) => name),
    ).toEqual(['b', 'x'])
  })

  it('docker passwords go in, never come out, and stay with the next version', async () => {
    const login = { docker_login_user: 'me', docker_login_repo: 'ghcr.io' }
    const saved = await save({ templates: [template('d', { ...login, docker_login_pass: 'token-123456' })] })
    expect(saved.status).toBe(200)
    expect(JSON.stringify(saved.body)).not.toMatch(/token-123456|docker_login_pass/)
    const stored = async () =>
      (
        await server.postgres.query<{ row: string }>('SELECT row_to_json(t)::text AS row FROM templates t')
      ).rows
        .map(({ row }) => row)
        .join()
    expect(await stored()).not.toContain('token-123456')
    const edited = await save({
      templates: [template('d2', { ...login, id: saved.templates[0]?.id })],
      is_an_edit: true,
    })
    expect(edited.templates.map(({ name }) => name)).toEqual(['d2'])
    const { rows } = await server.postgres.query(
      'SELECT FROM templates WHERE docker_login_pass_sealed IS NOT NULL',
    )
    expect(rows).toHaveLength(2)
    expect(
      await save({ templates: [template('d3', { docker_login_user: 'you', id: edited.templates[0]?.id })] }),
    ).toMatchObject({ status: 400 })
    const other = await save({ templates: [template('d2', { ...login, docker_login_pass: 'another' })] })
    expect(other.templates).toHaveLength(2)
  })

  it("no account gets another account's docker password", async () => {
    const login = { docker_login_user: 'me', docker_login_repo: 'ghcr.io' }
    const { templates } = await save({
      templates: [template('d', { ...login, docker_login_pass: 'token-123456' })],
    })
    const [mine] = templates
    expect((await save({ templates: [], referral_template_id: mine?.id }, 'stranger')).status).toBe(400)
    expect(
      (await save({ templates: [template('evil', { ...login, id: mine?.id })] }, 'stranger')).status,
    ).toBe(400)
    // The password is not even sent to another registry of the same account.
    const moved = template('d', { ...login, docker_login_repo: 'evil.example', id: mine?.id })
    expect((await save({ templates: [moved] })).status).toBe(400)
  })

  it.each([
    [{}, 'templates cannot be null'],
    [{ templates: null }, 'templates cannot be null'],
    [
      { templates: [template('x', { docker_login_user: 'me' })] },
      'templates with docker username must have an access token',
    ],
    [
      { templates: [template('x', { docker_login_user: 'me', docker_login_pass: '' })] },
      'templates with docker username must have an access token',
    ],
    [{ templates: {} }, expect.any(String)],
    [{ templates: [null] }, expect.any(String)],
    [{ templates: [{ image: 'x' }] }, 'templates.0.name is required'],
    [{ templates: [template('   ')] }, 'templates.0.name is required'],
    [{ templates: [{ name: 'x' }] }, 'templates.0.image is required'],
    [
      { templates: [template('x', { onstart: 'x'.repeat(4049) })] },
      'templates.0.onstart must have at most 4048 characters',
    ],
    [{ templates: [template('x', { runtype: 'vm' })] }, expect.any(String)],
    [{ templates: [template('x', { recommended_disk_space: -1 })] }, expect.any(String)],
    [{ templates: [template('x', { ssh_direct: 'yes' })] }, expect.any(String)],
    [{ templates: [template('ok'), template('x', { id: 999_999 })] }, expect.any(String)],
    [{ templates: Array(51).fill(template('x')) }, expect.any(String)],
  ])('refuses %j and saves nothing', async (body, msg) => {
    const answer = await save(body)
    expect(answer).toMatchObject({ status: 400, body: { success: false, error: 'invalid_args', msg } })
    expect((await server.postgres.query('SELECT FROM template_library')).rows).toEqual([])
  })

  it('a script of 4048 characters is allowed, and shell and SQL characters are only text', async () => {
    const onstart = `'; DROP TABLE templates; -- $(id) \u2028 \ud83d\ude80`.padEnd(4048, 'x')
    expect((await save({ templates: [template('long', { onstart })] })).templates[0]?.onstart).toBe(onstart)
  })

  it('the library of another account is 404', async () => {
    const none = { status: 404, body: { success: false, error: 'not_found', msg: 'There is no such user' } }
    for (const id of [world.stranger_id, world.team_id, 999_999, 'me', '0', '-1']) {
      expect(
        await server.send('POST', `/api/v0/users/${id}/templates`, world.keys.renter, { templates: [] }),
      ).toMatchObject(none)
      expect(await server.get(`/api/v0/users/${id}/templates`, world.keys.renter)).toMatchObject(none)
    }
    expect((await server.get(`/api/v0/users/${world.team_id}/templates/`, world.keys.team)).status).toBe(200)
    expect(
      (
        await server.get(
          `/api/v0/users/${world.renter_id}/templates`,
          await keyWith(server, world.renter_id, 'user_read'),
        )
      ).status,
    ).toBe(403)
  })

  it('twenty saves at once make one template', async () => {
    const answers = await atOnce(20, () => save({ templates: [template('popular'), template('other')] }))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map(({ templates }) => JSON.stringify(templates.map(({ id }) => id)))).size).toBe(
      1,
    )
    expect((await server.postgres.query('SELECT FROM templates')).rows).toHaveLength(2)
  })
})
