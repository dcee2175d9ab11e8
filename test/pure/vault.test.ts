import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openVault } from '../../platform/security/vault.ts'

const vault = openVault({ key: randomBytes(32) })
const other = openVault({ key: randomBytes(32) })

describe('the vault', () => {
  it('opens what it sealed, for the same purpose only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, purpose) => {
        const sealed = vault.seal(text, purpose)
        expect(vault.open(sealed, purpose)).toBe(text)
        expect(() => vault.open(sealed, `${purpose}!`)).toThrow()
        expect(() => other.open(sealed, purpose)).toThrow()
      }),
    )
  })

  it('never seals alike, and notices any changed byte', () => {
    const sealed = vault.seal('secret', 'x')
    expect(vault.seal('secret', 'x')).not.toEqual(sealed)
    for (let at = 1; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => vault.open(changed, 'x')).toThrow()
    }
    expect(() => vault.open(sealed.subarray(0, 20), 'x')).toThrow()
    expect(() => vault.open(Buffer.alloc(0), 'x')).toThrow()
  })

  it('has a fingerprint of a text by key and purpose', () => {
    const print = vault.fingerprint('text', 'one')
    expect(vault.fingerprint('text', 'one')).toEqual(print)
    expect(vault.fingerprint('text', 'two')).not.toEqual(print)
    expect(vault.fingerprint('other', 'one')).not.toEqual(print)
    expect(other.fingerprint('text', 'one')).not.toEqual(print)
  })

  it('hashes codes by key and salt', async () => {
    const hash = await vault.hashCode('123456', 'salt')
    expect(hash).toHaveLength(32)
    expect(await vault.hashCode('123456', 'salt')).toEqual(hash)
    expect(await vault.hashCode('123456', 'other')).not.toEqual(hash)
    expect(await vault.hashCode('123457', 'salt')).not.toEqual(hash)
    expect(await other.hashCode('123456', 'salt')).not.toEqual(hash)
  })
})
