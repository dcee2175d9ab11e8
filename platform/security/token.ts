import { createHash, randomBytes } from 'node:crypto'

/** 32 random bytes, in hex. */
export const newToken = (): string => randomBytes(32).toString('hex')

/** The stored hash of a key or token. A plain SHA-256 is enough: they hold 256 random bits. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
