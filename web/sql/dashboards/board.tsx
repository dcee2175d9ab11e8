import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { Dashboard } from '../../../contract/dashboards.ts'
import { pages } from '../../../contract/pages.ts'
import type { ApiFailure } from '../../api/client.ts'
import { troubleOf } from '../../api/queries.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { NoData } from '../../components/no-data.tsx'
import { outlines } from '../../components/outlines.ts'
import { PageHead } from '../../components/page-head.tsx'
import { Status } from '../../components/status.tsx'
import { dateTime } from '../../format.ts'
import { useDashboard, useDashboardActions } from './api.ts'
import { BoardForm } from './board-form.tsx'
import { Panel } from './panel.tsx'
import { createTurns } from './turns.ts'

/** The service runs four statements at once for all users, so a page runs at most two. */
const atOnce = 2

/** One dashboard. */
export function Board({ id }: { id: number }) {
  const { data, ...query } = useDashboard(id)
  const trouble = troubleOf(query) as ApiFailure | null
  const name = data?.name
  useEffect(() => {
    if (name) document.title = `${name} – rackrate`
  }, [name])
  if (trouble?.status === 404)
    return (
      <>
        <PageHead title="Data" />
        <NoData icon={outlines.search} title="There is no such dashboard">
          <p>
            Somebody may have deleted it. <Link href={pages.dashboards}>See all dashboards</Link>
          </p>
        </NoData>
      </>
    )
  return (
    <>
      <Status of={[query]} hasData={data !== undefined} />
      {data ? <Content board={data} /> : !trouble && <p aria-busy="true">Reading the dashboard</p>}
    </>
  )
}

function Content({ board }: { board: Dashboard }) {
  const { id, name, panels, username, updated_at, revision } = board
  const { remove } = useDashboardActions()
  const [, navigate] = useLocation()
  const round = useSignal(0)
  const changes = useSignal(false)
  const failure = useSignal('')
  // New turns for each round, so that panels still waiting in an earlier round do not delay the next one.
  const turns = useMemo(() => createTurns(atOnce), [round.value, revision])

  function discard(): void {
    if (!confirm(`Delete the dashboard “${name}” for all admins?`)) return
    remove(id).then(
      () => navigate(pages.dashboards),
      (error: Error) => {
        failure.value = error.message
      },
    )
  }

  return (
    <>
      <PageHead
        title={
          <>
            <Link class="crumb" href={pages.dashboards}>
              Dashboards
            </Link>
            <span class="crumb"> / </span>
            {name}
          </>
        }
      />
      <div class="bar">
        <button type="button" class="small" disabled={panels.length === 0} onClick={() => (round.value += 1)}>
          Refresh
        </button>
        <CopyButton label="Copy link" text={() => location.href} />
        <button
          type="button"
          class="small"
          aria-expanded={changes.value}
          onClick={() => (changes.value = !changes.value)}
        >
          Change
        </button>
        <button type="button" class="small" onClick={discard}>
          Delete
        </button>
      </div>
      <p class="note">
        Changed {dateTime(updated_at)}
        {username && ` by ${username}`}
      </p>
      {failure.value && <p role="alert">{failure.value}</p>}
      {changes.value && <BoardForm key={revision} board={board} onDone={() => (changes.value = false)} />}
      {panels.length === 0 && (
        <NoData icon={outlines.database} title="No results yet">
          <p>
            Run a statement in the <Link href={pages.sql}>console</Link>, then choose “Add to a dashboard”.
          </p>
        </NoData>
      )}
      <div class="panels">
        {panels.map((panel, index) => (
          <Panel key={`${revision} ${index}`} panel={panel} turns={turns} round={round.value} />
        ))}
      </div>
    </>
  )
}
