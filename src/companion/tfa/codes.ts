import { randomInt } from 'node:crypto'

/** Six digits. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

// 32 characters that are easy to distinguish.
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const backupCodeLength = 12

/** `ABCD-EFGH-JKLM`: 60 random bits. */
export function newBackupCode(): string {
  const text = Array.from({ length: backupCodeLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return text.match(/.{4}/g)?.join('-') ?? text
}

/** A backup code as it is hashed, whatever case, dashes and spaces were typed. */
export const plainBackupCode = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
