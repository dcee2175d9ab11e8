/** What PostgreSQL cannot store, as text or in JSON: NUL, and half of a surrogate pair. */
const unstorable = /\0|\p{Surrogate}/gu

export const isStorable = (text: string): boolean => text.search(unstorable) === -1

/** A text of others, with a replacement character for each character that cannot be stored. */
export const storable = (text: string): string => text.replaceAll(unstorable, '\ufffd')

/** Only an escape sequence can put such a character into JSON. */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i

/** Reads JSON of others. Its texts can be stored. Throws SyntaxError. */
export function readStorable(json: string): unknown {
  if (!unstorableEscape.test(json)) return JSON.parse(json)
  return JSON.parse(json, (_name, value) => (typeof value === 'string' ? storable(value) : value))
}
