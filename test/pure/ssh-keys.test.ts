import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { publicKey } from '../../src/companion/ssh/public-key.ts'
import { needs } from '../needs.ts'

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, `../fixtures/ssh-keys/${name}.pub`), 'utf8').trimEnd()
const dataOf = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64')

const [ed25519, rsa, p256, p384, p521] = ['ed25519', 'rsa', 'p256', 'p384', 'p521'].map(fixture) as [
  string,
  string,
  string,
  string,
  string,
]
const [type = '', base64 = ''] = ed25519.split(' ')
const bare = `${type} ${base64}`

/** A key of fields that each have their length before them. */
function keyOf(name: string, ...fields: (Buffer | string)[]): string {
  const parts = [name.replace(/^rsa-sha2-.*/, 'ssh-rsa'), ...fields].map((field) => {
    const bytes = Buffer.from(field)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  })
  return `${name} ${Buffer.concat(parts).toString('base64')}`
}
const withData = (line: string, change: (data: Buffer) => Buffer) =>
  `${line.split(' ')[0]} ${change(dataOf(line)).toString('base64')}`
const point = dataOf(p256).subarray(-65)
const modulus = dataOf(rsa).subarray(-257)
const exponent = Buffer.from([1, 0, 1])

const taken: [string, string][] = [
  ['an Ed25519 key', ed25519],
  ['an RSA key', rsa],
  ['an RSA key of 1,024 bits', fixture('rsa-1024')],
  ['an ECDSA key of P-256', p256],
  ['an ECDSA key of P-384', p384],
  ['an ECDSA key of P-521', p521],
  ['an Ed25519 key of a token', keyOf('sk-ssh-ed25519@openssh.com', dataOf(ed25519).subarray(-32), 'ssh:')],
  ['an ECDSA key of a token', keyOf('sk-ecdsa-sha2-nistp256@openssh.com', 'nistp256', point, 'ssh:')],
  ['an RSA key under the name of a signature', `rsa-sha2-512 ${dataOf(rsa).toString('base64')}`],
  ['a key without a comment', bare],
  ['a comment of several words', `${bare} work laptop 2026`],
  ['a comment with é', `${bare} josé@café`],
  ['a comment in Japanese with an emoji', `${bare} 山田の鍵 😀`],
  ['a comment of combining characters', `${bare} jose\u0301`],
  ['two spaces after the type', `${type}  ${base64} me`],
  ['a tab after the type', `${type}\t${base64} me`],
  ['a tab before the comment', `${bare}\tme`],
  ['many spaces and tabs', `${type} \t \t${base64} \t me`],
  ['spaces before it', `  ${ed25519}`],
  ['a tab before it', `\t${ed25519}`],
  ['spaces behind it', `${bare}   `],
  ['a line end', `${ed25519}\n`],
  ['a line end of Windows', `${ed25519}\r\n`],
  [
    'a modulus with further zeros before it',
    keyOf('ssh-rsa', exponent, Buffer.concat([Buffer.alloc(3), modulus])),
  ],
]

const refused: [string, string, RegExp][] = [
  ['an empty text', '', /must be an SSH public key/],
  ['a type alone', type, /must have the key after its type/],
  ['the base64 alone', base64, /must begin with the type/],
  ['a key that is cut off inside of a field', `${bare.slice(0, 60)} me`, /cut off/],
  ['a key that is cut off after a field', keyOf('ssh-rsa', exponent), /cut off/],
  ['an RSA key of its type alone', 'ssh-rsa AAAAB3NzaC1yc2EA me', /cut off/],
  ['an RSA key without its end', rsa.slice(0, 200), /cut off/],
  ['a key that goes on behind its end', `${bare}AAAA`, /cut off/],
  ['a key with a field too many', keyOf('ssh-ed25519', Buffer.alloc(32), 'x'), /cut off/],
  ['an Ed25519 key of 31 bytes', keyOf('ssh-ed25519', Buffer.alloc(31)), /cut off/],
  ['an RSA key of 1,023 bits', fixture('rsa-1023'), /1024 to 16384 bits, but it has 1023/],
  ['a negative modulus', keyOf('ssh-rsa', exponent, Buffer.alloc(256, 0xff)), /cut off/],
  ['another type than that of its data', `ssh-rsa ${base64}`, /its data is of another type/],
  ['the data of another curve', `ecdsa-sha2-nistp384 ${p256.split(' ')[1]}`, /another type/],
  [
    'a point that is not on its curve',
    withData(p256, (data) => Buffer.concat([data.subarray(0, -1), Buffer.from([(data.at(-1) ?? 0) ^ 1])])),
    /cut off/,
  ],
  ['the name of another curve inside', keyOf('ecdsa-sha2-nistp256', 'nistp384', point), /cut off/],
  ['a type in capitals', bare.toUpperCase(), /must begin with the type/],
  ['a type in full-width letters', `ｓｓｈ-ed25519 ${base64}`, /must begin with the type/],
  ['a space that does not break after the type', `${type}\u00a0${base64}`, /must begin with the type/],
  ['an ideographic space after the type', `${type}\u3000${base64}`, /must begin with the type/],
  ['a byte order mark', `\ufeff${ed25519}`, /must begin with the type/],
  ['a character without width behind it', `${bare}\u200b`, /cut off/],
  ['a space inside the base64', `${type} ${base64.slice(0, 30)} ${base64.slice(30)}`, /cut off/],
  ['padding too much', `${bare}=`, /cut off/],
  [
    'padding that is missing',
    p256.split(' ').slice(0, 2).join(' ').replace(/=+$/, '').slice(0, -1),
    /cut off/,
  ],
  ['quotes around it', `"${bare}"`, /must begin with the type/],
  ['a comment sign before it', `# ${ed25519}`, /must begin with the type/],
  [
    'the format of RFC 4716',
    `---- BEGIN SSH2 PUBLIC KEY ----\n${base64}\n---- END SSH2 PUBLIC KEY ----`,
    /ssh-keygen -i/,
  ],
  ['a DSA key that is cut off', 'ssh-dss AAAAB3NzaC1kc3MAAACBAPY8', /DSA/],
]

/** ssh-keygen reads these. They would do something else than give access, or not give it. */
const notStored: [string, string, RegExp][] = [
  ['options before the key', `restrict,command="ls" ${ed25519}`, /without options/],
  ['several keys', `${ed25519}\n${rsa}`, /one line/],
  ['a control character in the comment', `${bare} a\u0007b`, /control characters/],
  ['a control character of C1 in the comment', `${bare} a\u0085b`, /control characters/],
  [
    'a private key',
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n-----END OPENSSH PRIVATE KEY-----',
    /private key/,
  ],
  ['a certificate', `ssh-ed25519-cert-v01@openssh.com ${base64}`, /certificate/],
]

const folder = mkdtempSync(join(tmpdir(), 'rackrate-ssh-'))
afterAll(() => rmSync(folder, { recursive: true }))

function isRead(line: string): boolean {
  const file = join(folder, 'key.pub')
  writeFileSync(file, line)
  try {
    execFileSync('ssh-keygen', ['-l', '-f', file], { stdio: 'ignore' })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') throw error
    return false
  }
}

function hasSshKeygen(): boolean {
  try {
    return isRead(ed25519)
  } catch {
    return false
  }
}
const isJudged = needs(hasSshKeygen(), 'tests of SSH keys with ssh-keygen: it is not installed')

describe('a key is taken', () => {
  it.each(taken)('%s', (_form, line) => {
    const { success, data, error } = publicKey.safeParse(line)
    expect(success, error?.message).toBe(true)
    expect(data).toMatch(/^\S+ [A-Za-z0-9+/]+=*( \S.*)?$/)
    if (isJudged) expect([isRead(line), isRead(data ?? '')]).toEqual([true, true])
  })
})

describe('a key is refused with its reason', () => {
  it.each(refused)('%s', (_form, line, reason) => {
    expect(publicKey.safeParse(line).error?.issues[0]?.message).toMatch(reason)
    if (isJudged) expect(isRead(line)).toBe(false)
  })

  it.each(notStored)('%s, although ssh-keygen may read it', (_form, line, reason) => {
    expect(publicKey.safeParse(line).error?.issues[0]?.message).toMatch(reason)
  })
})

it('equal keys come out as equal texts', () => {
  const forms = [`${bare} me`, ` ${type}  ${base64}\tme\n`, `\t${type}\t${base64} \t me `]
  expect(new Set(forms.map((form) => publicKey.parse(form)))).toEqual(new Set([`${bare} me`]))
})

it.runIf(isJudged)('a damaged key is taken or refused as ssh-keygen does', () => {
  const damage = fc.record({
    line: fc.constantFrom(ed25519, rsa, p256, p384, p521),
    place: fc.nat(600),
    what: fc.constantFrom('cut', 'flip', 'insert', 'drop'),
    byte: fc.integer({ min: 1, max: 255 }),
  })
  const property = fc.property(damage, ({ line, place, what, byte }) => {
    const changed = withData(line, (data) => {
      const at = place % data.length
      const [before, after] = [data.subarray(0, at), data.subarray(at)]
      if (what === 'cut') return before
      if (what === 'drop') return Buffer.concat([before, after.subarray(1)])
      if (what === 'insert') return Buffer.concat([before, Buffer.from([byte]), after])
      return Buffer.concat([before, Buffer.from([(after[0] ?? 0) ^ byte]), after.subarray(1)])
    })
    expect(publicKey.safeParse(changed).success, changed).toBe(isRead(changed))
  })
  fc.assert(property, { numRuns: 200 })
})
