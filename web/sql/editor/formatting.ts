import { clickhouse, formatDialect } from 'sql-formatter'

/** The same statement laid out; undefined: that would change it, or it is not understood. Loaded when it is asked for. */
export function formatted(statement: string): string | undefined {
  try {
    const laidOut = formatDialect(statement, {
      dialect: clickhouse,
      expressionWidth: 90,
      paramTypes: { custom: [{ regex: String.raw`\{\s*\w+\s*:[^{}]*\}` }] },
    })
    return withoutGaps(statement, laidOut)
  } catch {
    return undefined
  }
}

const isSpace = (letter: string | undefined) => letter !== undefined && /\s/.test(letter)

/**
 * Takes out the spaces that the formatter puts within calls, elements and casts: `f(0.5) (x)`, `list [1]`, `tuple .1`, which is not even SQL.
 * undefined: more than spaces differs.
 */
function withoutGaps(before: string, after: string): string | undefined {
  let [at, text] = [0, '']
  for (let index = 0; index < after.length; index += 1) {
    const letter = after[index] as string
    if (isSpace(letter)) {
      const isGap =
        !isSpace(before[at]) &&
        letter === ' ' &&
        !isSpace(text.at(-1)) &&
        (/[([.]/.test(after[index + 1] ?? '') || text.endsWith('::'))
      if (!isGap) text += letter
      if (letter === before[at]) at += 1
    } else {
      while (isSpace(before[at])) at += 1
      if (before[at] !== letter) return undefined
      text += letter
      at += 1
    }
  }
  return before.slice(at).trim() === '' ? text : undefined
}
