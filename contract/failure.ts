/** The error that was thrown. Any other thrown value becomes the message of an error. */
export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** The code of an error of Node, of PostgreSQL or of zlib, such as `ENOENT`; undefined for an error without one. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined
