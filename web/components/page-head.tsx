import type { ComponentChildren } from 'preact'
import { Link, useLocation, useSearch } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { useUser } from '../api/queries.ts'
import { placeOf, withFilters } from '../places.ts'
import { type TaskCount, taskCounts } from '../task-counts.ts'
import { TaskBadge } from './task-badge.tsx'

/** A place of the second level. */
export interface TabLink {
  href: string
  title: string
  isCurrent: boolean
  count?: TaskCount | undefined
}

interface PageHeadProps {
  title: ComponentChildren
  /** Secondary facts beside the title. */
  facts?: ComponentChildren
  /** The places of the second level, if they are not the pages of this place of the menu. */
  tabs?: readonly TabLink[]
  /** At most two buttons. */
  children?: ComponentChildren
}

/** The head of a page: its title, its actions, and its second level as tabs. */
export function PageHead({ title, facts, tabs, children }: PageHeadProps) {
  const [path] = useLocation()
  const ofPlace = useTabs(path)
  const shown = tabs ?? ofPlace
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        {facts && <span class="quiet">{facts}</span>}
        {children && <div class="end">{children}</div>}
      </header>
      {shown.length > 1 && (
        <nav class="tabs" aria-label={placeOf(path)?.title ?? pages.today}>
          {shown.map(({ href, title, isCurrent, count }) => (
            <Link key={title} href={href} aria-current={isCurrent ? 'page' : undefined}>
              {title}
              <TaskBadge of={count} />
            </Link>
          ))}
        </nav>
      )}
    </>
  )
}

/** The pages of a place of the menu. */
function useTabs(path: string): TabLink[] {
  const search = useSearch()
  const isAdmin = useUser().data?.is_admin ?? false
  return (placeOf(path)?.tabs ?? [])
    .filter(({ forAdmins }) => isAdmin || !forAdmins)
    .map(({ to, title }) => ({
      href: withFilters(to, path, search),
      title,
      isCurrent: to === path,
      count: taskCounts.value.get(to),
    }))
}
