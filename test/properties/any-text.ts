import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Operation } from '../contract.ts'
import type { openOperations } from '../operations.ts'
import { ownerOf } from './hostile-values.ts'
import { bodyWith, type TextPlace, textPlaces } from './text-places.ts'

type Operations = Awaited<ReturnType<typeof openOperations>>

/** The text in the full-width characters of East Asian keyboards. */
const fullWidth = (text: string) =>
  text.replaceAll(/[!-~]/g, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0))

const strange = fc.oneof(
  fc.constantFrom(
    '\0',
    '\ud800',
    '\udfff',
    '\u0301',
    'é',
    'e\u0301',
    '１',
    '٣',
    '४',
    'Ⅷ',
    'ß',
    'ﬁ',
    'İ',
    '😀',
  ),
  fc.constantFrom(
    '𝟙',
    '𠮷',
    '\u202e',
    '\u200d',
    '\u200b',
    '\ufeff',
    '\u0085',
    '\u2028',
    '\ufffe',
    '\u{10ffff}',
  ),
  fc.constantFrom(
    '👩‍👩‍👧‍👦',
    'Z͑ͫ̓ͪ̂ͫ̽',
    'Ａ',
    '　',
    '／',
    '．',
    '＠',
    '%',
    '\\',
    '"',
    "'",
    '\x07',
    '\x7f',
    '\n',
    '\t',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
)

/** A text, possibly a changed valid one. */
const anyText = fc
  .tuple(
    fc.constantFrom(fullWidth, String, String, () => ''),
    fc.array(fc.tuple(fc.nat(40), strange), { maxLength: 4 }),
  )
  .map(
    ([change, inserted]) =>
      (valid: string) =>
        inserted.reduce((text, [place, part]) => {
          const at = place % (text.length + 1)
          return text.slice(0, at) + part + text.slice(at)
        }, change(valid)),
  )

/** Percent-encoded; half of a surrogate pair as the bytes that it would have. */
const encoded = (text: string): string =>
  text.replaceAll(/\p{Surrogate}|[\s\S]/gu, (character) =>
    /\p{Surrogate}/u.test(character) ? '%ED%A0%80' : encodeURIComponent(character),
  )

/** True if an address may have the text between two slashes. */
const isSegment = (text: string) => !/^\.{0,2}$/.test(text)

const validTexts = ['123456', 'RTX 4090', 'somebody@example.com', '2026-11-27', 'a', '{"name":{"eq":"a"}}']

/** Inputs between two clean-ups. */
const untilFull = 500

/** Tables that are emptied: once their limit is reached, requests would be refused before the text is used. */
const added = `TRUNCATE templates, template_library, scheduled_jobs, ssh_keys, cloud_connections, alert_rules, autopilot_rules,
  saved_queries, dashboards, shared_charts, tfa_challenges, outbox, team_invitations CASCADE`

/** Tests that every operation answers any text in any place without an internal error. */
export function anyTextAnywhere(
  opened: Operations,
  { inputs, seed }: { inputs: number; seed: number },
): void {
  const { server, keys, row, request, operations, schemas } = opened
  const places = operations.flatMap((operation) =>
    textPlaces(operation, schemas).map((place) => ({ operation, place })),
  )
  const paths = new Map<string, string>()
  let sent = 0

  /** Makes room, and gives the renter an app for codes and another one that waits for its first code. */
  async function makeReady(): Promise<void> {
    paths.clear()
    await server.postgres.query(added)
    await server.postgres.query('DELETE FROM tfa_methods')
    await server.send('POST', '/api/v0/tfa/totp-setup', keys.renter, {})
    await server.postgres.query(
      'UPDATE tfa_methods SET confirmed_at = rackrate_now(), created_at = rackrate_now()',
    )
    await server.postgres.query(
      `INSERT INTO tfa_methods (account_id, kind, secret_sealed) SELECT account_id, kind, secret_sealed FROM tfa_methods`,
    )
  }

  async function pathOf({ name }: Operation): Promise<string> {
    const path = paths.get(name) ?? (await row(name).path())
    paths.set(name, path)
    return path
  }

  async function send({ operation, place }: (typeof places)[number], changed: (valid: string) => string) {
    if (sent % untilFull === 0) await makeReady()
    sent += 1
    if (operation.path.startsWith('/api/v0/tfa')) await server.postgres.query('DELETE FROM tfa_failures')
    const key = keys[ownerOf(opened, operation.name)]
    const path = await pathOf(operation)
    return request(operation, key, { path, ...requestWith(opened, { operation, place, path }, changed) })
  }

  it(
    `no text is too much for one of ${places.length} places`,
    async () => {
      const input = fc.tuple(fc.nat(places.length - 1), anyText)
      const property = fc.asyncProperty(input, async ([index, changed]) => {
        const chosen = places[index]
        if (!chosen) return
        const response = await send(chosen, changed)
        const answered = `${chosen.operation.name} ${JSON.stringify(chosen.place)}: ${response.body.slice(0, 200)}`
        expect(response.statusCode, answered).toBeLessThan(500)
      })
      await fc.assert(property, { numRuns: inputs, seed, endOnFailure: true })
    },
    60_000 + inputs * 100,
  )
}

/** The text that a body has at a place. */
function textAt(given: unknown, way: TextPlace['way']): string | undefined {
  const value = way.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined),
    given,
  )
  return typeof value === 'string' ? value : undefined
}

interface Placed {
  operation: Operation
  place: TextPlace
  path: string
}

/** The parts of a request that has a changed text at a place. */
function requestWith(
  { row, schemas }: Operations,
  { operation, place, path }: Placed,
  changed: (valid: string) => string,
): { path?: string; body?: string; headers?: Record<string, string> } {
  const name = String(place.way[0])
  const valid = validTexts[name.length % validTexts.length] ?? ''
  switch (place.in) {
    case 'header':
      return {
        headers: {
          [name]: Buffer.from(changed(valid))
            .toString('latin1')
            .replaceAll(/[\0\r\n]/g, ''),
        },
      }
    case 'query':
      return { path: `${path}${path.includes('?') ? '&' : '?'}${name}=${encoded(changed(valid))}` }
    case 'path': {
      const text = changed(valid)
      return { path: operation.path.replace(/\{\w+\}/, isSegment(text) ? encoded(text) : 'x') }
    }
    default: {
      const given = row(operation.name).body?.()
      const text = changed(textAt(given, place.way) ?? valid)
      return { body: JSON.stringify(bodyWith({ schema: operation.body ?? {}, given, schemas }, place, text)) }
    }
  }
}
