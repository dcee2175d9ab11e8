/** Characters that PostgreSQL cannot store, as text or in JSON: NUL, and half of a surrogate pair. */
const unstorable = /\0|\p{Surrogate}/gu

export const isStorable = (text: string): boolean => text.search(unstorable) === -1

/** Replaces characters of a foreign text that cannot be stored by the replacement character. */
export const storable = (text: string): string => text.replaceAll(unstorable, '\ufffd')

/** Only an escape sequence can put such a character into JSON. */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i

/** Reads foreign JSON. Its texts can be stored. Throws SyntaxError. */
export function readStorable(json: string): unknown {
  if (!unstorableEscape.test(json)) return JSON.parse(json)
  return JSON.parse(json, (_name, value) => (typeof value === 'string' ? storable(value) : value))
}
