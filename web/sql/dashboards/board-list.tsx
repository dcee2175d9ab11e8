import { useSignal } from '@preact/signals'
import { Link, useLocation } from 'wouter-preact'
import { dashboardLimits } from '../../../contract/dashboard-limits.ts'
import { toError } from '../../../contract/failure.ts'
import { pages } from '../../../contract/pages.ts'
import { NoData } from '../../components/no-data.tsx'
import { outlines } from '../../components/outlines.ts'
import { PageHead } from '../../components/page-head.tsx'
import { Status } from '../../components/status.tsx'
import { dateTime } from '../../format.ts'
import { useDashboardActions, useDashboards } from './api.ts'

/** All dashboards, and a form for a new one. */
export function BoardList() {
  const boards = useDashboards()
  return (
    <>
      <PageHead title="Data" />
      <Status of={[boards]} hasData={boards.data !== undefined} />
      {boards.isPending && <p aria-busy="true">Reading the dashboards</p>}
      {boards.data?.length === 0 && (
        <NoData icon={outlines.database} title="No dashboards yet">
          <p>
            Run a statement in the <Link href={pages.sql}>console</Link>, then choose “Add to a dashboard”.
          </p>
        </NoData>
      )}
      {boards.data && boards.data.length > 0 && (
        <table class="boards">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Results</th>
              <th scope="col">Changed</th>
            </tr>
          </thead>
          <tbody>
            {boards.data.map(({ id, name, panels, username, updated_at }) => (
              <tr key={id}>
                <th scope="row">
                  <Link href={`${pages.dashboards}?id=${id}`}>{name}</Link>
                </th>
                <td>{panels}</td>
                <td class="quiet">
                  {dateTime(updated_at)}
                  {username && ` by ${username}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {/* Content below the list would move when the list arrives. */}
      {!boards.isPending && (
        <>
          <NewBoard />
          <p class="note">
            All admins share the same dashboards. Each result is a statement that runs with your permissions
            and limits when the page opens.
          </p>
        </>
      )}
    </>
  )
}

function NewBoard() {
  const { create } = useDashboardActions()
  const [, navigate] = useLocation()
  const failure = useSignal('')
  const name = useSignal('')
  const busy = useSignal(false)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (busy.value) return // a double click makes one dashboard
    busy.value = true
    try {
      const id = await create({ name: name.value, panels: [] })
      navigate(`${pages.dashboards}?id=${id}`)
    } catch (error) {
      failure.value = toError(error).message
    }
    busy.value = false
  }

  return (
    <form class="filters" onSubmit={submit}>
      <label>
        New dashboard
        <input
          required
          placeholder="Name"
          maxLength={dashboardLimits.name}
          autocomplete="off"
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value
          }}
        />
      </label>
      <button type="submit">Create</button>
      {failure.value && <span role="alert">{failure.value}</span>}
    </form>
  )
}
