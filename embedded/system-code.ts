/** The code of an error of the operating system, such as `EEXIST`; undefined: it has none. */
export const systemCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
