import { clickhouse, formatDialect } from 'sql-formatter'

/** The formatted statement; undefined: formatting would change its meaning, or it cannot be parsed. Loaded on demand. */
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
 * Removes the spaces that the formatter inserts into calls, elements and casts: `f(0.5) (x)`, `list [1]`, `tuple .1` (which is invalid SQL).
 * undefined: more than spaces differs.
 */
function withoutGaps(before: string, after: string): string | undefined {
  let [at, text] = [0, '']
  for (let index = 0; index < after.length; index += 1) {
    const letter = after.charAt(index)
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
