import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface InTurnsProps<Item> {
  items: readonly Item[]
  /** Number of items that are added at a time. */
  few: number
  /** True: only the first items are shown, since more data will arrive for them. */
  waits: boolean
  children: (item: Item) => VNode
}

/**
 * Shows many items a few at a time, each few in their own task, so that the page stays responsive. Changes are applied the same way: a new render
 * keeps the number of items shown so far.
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
