import { Link } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { useSources } from '../api/sources.ts'
import { Notice } from '../components/notice.tsx'
import { source } from '../source.ts'

/** What a host does to see the market that is shown. */
export function NotOpen() {
  const { data: sources } = useSources()
  const name = source ?? sources?.[0]?.name
  if (!sources) return <main id="content" tabIndex={-1} aria-busy="true" />
  if (name === undefined)
    return (
      <Notice title="Bring a machine online">
        The market opens within a minute once one of your machines is online.
      </Notice>
    )
  return (
    <Notice title="Which machines are yours?">
      The market of {name} opens once you say which of its machines are yours.{' '}
      <Link href={pages.machines}>Choose them</Link>
    </Notice>
  )
}
