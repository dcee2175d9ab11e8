const prefix = /^RACKRATE_/

// Kubernetes sets such variables in every pod for each service: RACKRATE_SERVICE_HOST=10.0.0.7, RACKRATE_PORT=tcp://10.0.0.7:8080, ….
const isServiceLink = (name: string, value: string) =>
  /_SERVICE_(HOST|PORT)|_PORT_\d+_/.test(name) || /^(tcp|udp|sctp):/.test(value)

/**
 * Finds variables that look like misspelt settings, with a sentence for each. `mistakes`: at most two letters away from a setting that has
 * no value itself, with or without RACKRATE_ in front. `warnings`: any other RACKRATE_ variable. All other variables belong to other
 * programs. Short names must match exactly, because HOME is only two letters away from HOST.
 */
export function findUnknown(given: Readonly<Record<string, string>>, settings: readonly string[]) {
  const names = settings.flatMap((setting) => [setting, `${setting}_FILE`])
  const isNear = ({ nearest, distance }: Candidate) =>
    distance <= (nearest.length < 8 ? 0 : 2) && !(nearest in given || `${nearest}_FILE` in given)
  const mistakes: string[] = []
  const warnings: string[] = []
  for (const [name, value] of Object.entries(given)) {
    if (names.includes(name) || isServiceLink(name, value)) continue
    const candidate = nearestTo(name, names)
    const near = [candidate, nearestTo(name.replace(prefix, ''), names)].find(isNear)
    const sentence = `${name} is not a setting of rackrate. Did you mean ${(near ?? candidate).nearest}?`
    if (near) mistakes.push(sentence)
    else if (prefix.test(name)) warnings.push(sentence)
  }
  return { mistakes, warnings }
}

interface Candidate {
  nearest: string
  distance: number
}

const nearestTo = (name: string, names: readonly string[]): Candidate =>
  names
    .map((nearest) => ({ nearest, distance: letters(name, nearest) }))
    .reduce((best, one) => (one.distance < best.distance ? one : best))

/** Levenshtein distance: how many letters to change, insert or remove. */
function letters(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    let left = index + 1
    row = [
      left,
      ...row.slice(1).map((above, column) => {
        left = Math.min(above + 1, left + 1, (row[column] ?? 0) + (letter === to[column] ? 0 : 1))
        return left
      }),
    ]
  }
  return row.at(-1) ?? 0
}
