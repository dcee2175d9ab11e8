import './today.css'
import { useQuery } from '@tanstack/preact-query'
import { useMemo } from 'preact/hooks'
import { machineListQuery, useFleetAdvice } from '../api/machines.ts'
import { troubleOf, useUser } from '../api/queries.ts'
import { OwnClaim } from '../claims/own-claim.tsx'
import { present } from '../clock.ts'
import { Buttons } from '../components/buttons.tsx'
import { NoData } from '../components/no-data.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { outlines } from '../components/outlines.ts'
import { PageHead } from '../components/page-head.tsx'
import { Status } from '../components/status.tsx'
import { weekday } from '../format.ts'
import { basisOf } from '../machines/attention.ts'
import { useFleet, useMachinesOf } from '../machines/use-fleet.ts'
import { useView } from '../view.ts'
import { Earned } from './earned.tsx'
import { GpuTypes } from './gpu-types.tsx'
import { periods } from './periods.ts'
import { ToDo } from './to-do.tsx'

const Health = onDemand(
  async () => (await import('./recording/health.tsx')).Health,
  <section class="card recording" aria-busy="true" />,
)

const inOrder = ['day', 'week', 'month'] as const

/** The first page: results of the own machines, present tasks, and changes of the market. */
export function TodayPage() {
  const [{ period }, change] = useView()
  const fleet = useFleet()
  const isAdmin = useUser().data?.is_admin ?? false
  const machines = useMachinesOf(fleet)
  const slot = fleet.data?.pages[0]?.slot ?? 0
  const look = useMemo(() => ({ slot, basis: basisOf(machines) }), [machines, slot])
  const isListed = fleet.data?.pages[0]?.income_at === 'listed'
  // Their list is there before their figures, which take longer while a first history is recorded.
  const list = useQuery({ ...machineListQuery(), enabled: fleet.isPending })
  const listed = fleet.data ? machines : (list.data?.machines ?? [])
  const own = [...new Set(listed.map(({ gpu_name }) => gpu_name))]
  const together = useFleetAdvice(machines.length > 0)
  const isWhole = !fleet.hasNextPage && together.data?.pending === 0
  const isTold = troubleOf(fleet) !== null
  const hasNone = fleet.data !== undefined && machines.length === 0
  const hasEarned = machines.length > 0 || (!isAdmin && fleet.isPending)
  const types = <GpuTypes own={own} waiting={fleet.isPending && !list.data} isTold={isTold} />
  const buttons = (
    <Buttons
      label="Period"
      value={period}
      options={inOrder.map((one) => [one, periods[one].name] as const)}
      onChange={(to) => change({ period: to })}
    />
  )
  return (
    <main id="content" tabIndex={-1} class="today">
      <PageHead title="Today" facts={weekday(present())}>
        {hasEarned && buttons}
      </PageHead>
      <Status of={[fleet]} hasData={fleet.data !== undefined} />
      {hasNone && !isAdmin ? (
        <>
          <NoData icon={outlines.server} title="None of the machines is yours yet">
            <p>Its price, occupancy and income appear here once a machine of this account is listed.</p>
          </NoData>
          <OwnClaim />
        </>
      ) : (
        hasEarned && (
          <Earned
            machines={machines}
            listed={listed}
            period={period}
            look={look}
            isListed={isListed}
            waiting={fleet.isPending}
            hasMore={fleet.hasNextPage}
          >
            {buttons}
          </Earned>
        )
      )}
      {isAdmin && hasNone ? (
        <Health beside={types} />
      ) : (
        <div class="sides">
          <ToDo
            machines={machines}
            look={look}
            waiting={fleet.isPending}
            hasMore={fleet.hasNextPage}
            together={isWhole ? together.data?.gain_per_day : undefined}
            isTold={isTold}
          />
          {types}
        </div>
      )}
      {isAdmin && machines.length > 0 && <Health />}
    </main>
  )
}
