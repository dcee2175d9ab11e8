// The messages of a rule on a figure, by the plain definition: it reads the whole past at every slot.

interface Sample {
  slot: number
  /** null: the slot has no such figure. */
  value: number | null
}

interface Watching {
  isMet: (value: number) => boolean
  isClear: (value: number) => boolean
  /** Slots in a row. */
  slots: number
  interval: number
  /** The rule sends no messages before this slot. */
  silentUntil?: number
}

/** The messages at each slot. */
export function expectedMessages(given: readonly Sample[], watching: Watching): string[] {
  const { isMet, isClear, slots, interval, silentUntil = 0 } = watching
  const seen = given.flatMap(({ slot, value }) => (value === null ? [] : [{ slot, value }]))
  const messages: string[] = []
  let isFiring = false
  let isTold = false
  /** The first reading that counts for the next change of state. */
  let from = 0
  seen.forEach(({ slot }, at) => {
    const speaks = isFiring ? isClear : isMet
    const row = seen.slice(Math.max(from, at - slots + 1), at + 1)
    const isInARow = row.every((one, n) => n === 0 || one.slot - (row[n - 1]?.slot ?? 0) <= 3 * interval)
    const turns = row.length === slots && isInARow && row.every(({ value }) => speaks(value))
    if (turns) {
      from = at + 1
      if (isFiring && isTold && slot >= silentUntil) messages.push(`${slot} resolved`)
      isFiring = !isFiring
      isTold = false
    }
    if (isFiring && !isTold && slot >= silentUntil) {
      isTold = true
      messages.push(`${slot} fired`)
    }
  })
  return messages
}

interface Changing {
  is: 'falls' | 'rises'
  by: number
  clears_at: number | null
  hours: number
  slots: number
  interval: number
}

/** The messages of a rule on a change. Values are whole numbers, so that percentages are exact; `isThin`: too few machines. */
export function expectedChanges(
  given: readonly (Sample & { isThin: boolean })[],
  { is, by, clears_at, hours, ...watching }: Changing,
): string[] {
  const compared = given.map(({ slot, value, isThin }) => {
    const then = slot - hours * 3600
    const older = given.filter((one) => one.slot <= then && one.slot > then - 3600).at(-1)
    const before = older && !older.isThin && !isThin ? older.value : null
    return { slot, value, before }
  })
  /** Percents of the value before, times that value. */
  const moved = (at: number): [moved: number, before: number] => {
    const { value, before } = compared[at] ?? {}
    return [100 * ((value ?? 0) - (before ?? 0)) * (is === 'falls' ? -1 : 1), before ?? 0]
  }
  const readings = compared.map(({ slot, value, before }, at) => ({
    slot,
    value: value === null || before === null || before === 0 ? null : at,
  }))
  return expectedMessages(readings, {
    ...watching,
    isMet: (at) => moved(at)[0] >= by * moved(at)[1],
    isClear: (at) =>
      clears_at === null ? moved(at)[0] < by * moved(at)[1] : moved(at)[0] <= clears_at * moved(at)[1],
  })
}
