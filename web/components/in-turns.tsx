import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface InTurnsProps<Item> {
  items: readonly Item[]
  /** So many at a time. */
  few: number
  /** Only the first few: there is more to come for them. */
  waits: boolean
  children: (item: Item) => VNode
}

/**
 * Shows many things a few at a time, each few in a task of their own, so that the page never stands still for all of them. Changes reach them the
 * same way: the rest is a state, which a new drawing leaves as it is.
 */
export function InTurns<Item>({ items, few, waits, children }: InTurnsProps<Item>) {
  const [rest, setRest] = useState<VNode>()
  useEffect(() => {
    if (waits) return
    const left = items.slice(few)
    const timer = setTimeout(() =>
      setRest(
        left.length === 0 ? undefined : (
          <InTurns items={left} few={few} waits={false}>
            {children}
          </InTurns>
        ),
      ),
    )
    return () => clearTimeout(timer)
  }, [items, few, waits, children])
  return (
    <>
      {items.slice(0, few).map(children)}
      {rest}
    </>
  )
}
