import { randomInt } from 'node:crypto'

/** Six digits. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

// 32 characters that are easy to distinguish.
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** `ABCD-EFGH-JKLM`: groups of 20 random bits. */
function newTypedCode(groups: number): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

export const newBackupCode = (): string => newTypedCode(3)
export const newShortCode = (): string => newTypedCode(2)

/** A typed code in the form that is compared and hashed, regardless of case, width, dashes and spaces. */
export const plainTypedCode = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
