import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { useSources } from '../api/sources.ts'
import { Notice } from '../components/notice.tsx'
import { source } from '../source.ts'

interface NotOpenProps {
  /** The page of the own machines, if this is the requested page. In the market of a source it asks for the visitor's machines. */
  children: ComponentChildren
}

/** The steps that open the chosen market to a host. */
export function NotOpen({ children }: NotOpenProps) {
  const { data: sources } = useSources()
  const name = source ?? sources?.[0]?.name
  if (!sources) return <main id="content" tabIndex={-1} aria-busy="true" />
  if (name === undefined)
    return (
      <Notice title="Bring a machine online">
        List a machine in the marketplace with this account. The market opens within a minute once it is
        online. <Link href={pages.docs}>Meanwhile, see the API</Link>
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
