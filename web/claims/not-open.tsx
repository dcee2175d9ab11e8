import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { useSources } from '../api/sources.ts'
import { Notice } from '../components/notice.tsx'
import { source } from '../source.ts'

interface NotOpenProps {
  /** The page of the own machines, if it is asked for. In the market of a source it asks which machines are the visitor's. */
  children: ComponentChildren
}

/** What a host does to see the market that is shown. */
export function NotOpen({ children }: NotOpenProps) {
  const { data: sources } = useSources()
  const name = source ?? sources?.[0]?.name
  if (!sources) return <main id="content" tabIndex={-1} aria-busy="true" />
  if (name === undefined)
    return (
      <Notice title="Bring a machine online">
        The market opens within a minute once one of your machines is online.
      </Notice>
    )
  if (children) return children
  return (
    <Notice title="Which machines are yours?">
      The market of {name} opens once you have claimed machines there.{' '}
      <Link href={pages.machines}>Claim them</Link>
    </Notice>
  )
}
