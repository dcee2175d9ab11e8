// Without zod: the page imports this, too.

/** `RTX_4090` and ` RTX 4090 ` name the same GPU; case is left to the lookup. */
export const normalName = (name: string): string => name.replaceAll('_', ' ').replace(/\s+/g, ' ').trim()

/** True if two names mean the same GPU, ignoring case. */
export const sameName = (one: string, other: string): boolean =>
  normalName(one).toLowerCase() === normalName(other).toLowerCase()

export const longestName = 64

/** The name of a GPU as the market stores it (the rule of sql/postgres/migrations/043_schema.sql). */
export const gpuName = /^[\p{L}\p{N}](?:[\p{L}\p{N} ./+()-]*[\p{L}\p{N}.)+])?$/u

/** A requested name: any text of a name's characters. A name that no GPU can have gets an empty answer. */
export const askedName = /^[\p{L}\p{N} ./+()-]{1,64}$/u
