import { useEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { capitalized, counted } from '../format.ts'
import { isTyping } from '../typing.ts'
import type { Operation } from './document.ts'

interface SideListProps {
  groups: ReadonlyMap<string, readonly Operation[]>
  chosen: string | undefined
  find: string
  onFind: (text: string) => void
  onEnter: () => void
}

export const hrefOf = ({ operationId }: Operation): string => `${pages.docs}?operation=${operationId}`

/** All operations by their tag, with a filter. `/` leads to it, and Enter opens the first one found. */
export function SideList({ groups, chosen, find, onFind, onEnter }: SideListProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event)) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <nav class="operations card" aria-label="Operations">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onEnter()
        }}
      >
        <input
          ref={field}
          type="search"
          aria-label="Find an operation"
          placeholder="Find an operation"
          value={find}
          onInput={({ currentTarget }) => onFind(currentTarget.value)}
        />
        <p class="note" role="status">
          {counted([...groups.values()].flat().length, 'operation')}
        </p>
      </form>
      {[...groups].map(([tag, operations]) => (
        <section key={tag} aria-label={tag}>
          <h2>{capitalized(tag).replace(/^Api\b/, 'API')}</h2>
          <ul>
            {operations.map((operation) => (
              <li key={operation.operationId}>
                <Link
                  href={hrefOf(operation)}
                  aria-current={operation.operationId === chosen ? 'page' : undefined}
                >
                  <span>{operation.summary ?? operation.operationId}</span>{' '}
                  <code class={operation.method === 'GET' ? undefined : 'writes'}>{operation.method}</code>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
