import type { ComponentChildren } from 'preact'
import { Link, useLocation, useSearch } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { useUser } from '../api/queries.ts'
import { placeOf, withFilters } from '../places.ts'
import { taskCounts } from '../task-counts.ts'
import { TaskBadge } from './task-badge.tsx'

interface PageHeadProps {
  title: ComponentChildren
  /** Secondary facts beside the title. */
  facts?: ComponentChildren
  /** At most two buttons. */
  children?: ComponentChildren
}

/** The head of a page: its title, its actions, and its second level as tabs. */
export function PageHead({ title, facts, children }: PageHeadProps) {
  const [path] = useLocation()
  const search = useSearch()
  const isAdmin = useUser().data?.is_admin ?? false
  const tabs = (placeOf(path)?.tabs ?? []).filter(({ forAdmins }) => isAdmin || !forAdmins)
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        {facts && <span class="quiet">{facts}</span>}
        {children && <div class="end">{children}</div>}
      </header>
      {tabs.length > 1 && (
        <nav class="tabs" aria-label={placeOf(path)?.title ?? pages.today}>
          {tabs.map(({ to, title }) => (
            <Link
              key={to}
              href={withFilters(to, path, search)}
              aria-current={to === path ? 'page' : undefined}
            >
              {title}
              <TaskBadge of={taskCounts.value.get(to)} />
            </Link>
          ))}
        </nav>
      )}
    </>
  )
}
