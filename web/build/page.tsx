import './build.css'
import { useSignal } from '@preact/signals'
import type { CurrentGpu } from '../../contract/current.ts'
import { filterOf } from '../../contract/market-filter.ts'
import type { ClassReturns, ReturnsAnswer } from '../../contract/returns.ts'
import { filling } from '../api/freshness.ts'
import { useMarket } from '../api/queries.ts'
import { filledPercent } from '../components/age.tsx'
import { Buttons } from '../components/buttons.tsx'
import { Grade } from '../components/grade.tsx'
import { Icon } from '../components/icon.tsx'
import { MachineFilters } from '../components/machine-filters.tsx'
import { NoData } from '../components/no-data.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { outlines } from '../components/outlines.ts'
import { PageHead } from '../components/page-head.tsx'
import { Select } from '../components/select.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Status } from '../components/status.tsx'
import { useCosts } from '../costs/api.ts'
import { CostsButton } from '../costs/costs-button.tsx'
import { save } from '../files.ts'
import { counted, oneDecimal, price } from '../format.ts'
import { useView, type View } from '../view.ts'
import { csvOf, earnedIn, rigName, shownClasses } from './classes.ts'
import { Frontier } from './frontier.tsx'
import { PaybackChart } from './payback-chart.tsx'
import { RankTable } from './rank-table.tsx'

const IncomeByTerms = onDemand(async () => (await import('../terms/income-by-terms.tsx')).IncomeByTerms)

/** The ranking of what to buy, with its charts. */
export function BuildPage() {
  const [view, change] = useView()
  const costs = useCosts()
  const { kwh_price = null, fee_percent = null } = costs.data?.account ?? {}
  const fee = (fee_percent ?? 0) / 100
  const answer = useMarket<ReturnsAnswer>(
    'returns',
    {
      ...filterOf(view),
      days: view.days,
      order: view.rank,
      ...(kwh_price !== null && { kwh_price }),
      ...(fee_percent !== null && { fee }),
      ...(view.buy && { purchase_price: view.buy }),
    },
    !costs.isPending,
  )
  const market = useMarket<{ gpus: CurrentGpu[] }>('current', filterOf(view))
  const classes = shownClasses(answer.data?.classes ?? [], view)
  const [best] = classes
  return (
    <main id="content" tabIndex={-1} class="build">
      <PageHead title="Market">
        <CostsButton machine={0} />
        {classes.length > 0 && (
          <button type="button" class="outline" onClick={() => save('what-to-buy.csv', csvOf(classes))}>
            <Icon outline={outlines.download} />
            CSV
          </button>
        )}
      </PageHead>
      {answer.data
        ? best && <Best best={best} answer={answer.data} view={view} />
        : // Until seven days are filled there is no best class, so it gets no room.
          filling.value === null && <div class="card best-awaited" />}
      <form class="filters one-row" onSubmit={(event) => event.preventDefault()}>
        <Buttons
          label="Order"
          value={view.rank}
          options={[
            ['net', 'Net a day'],
            ['payback', 'By payback'],
            ['watt', 'Per watt'],
          ]}
          onChange={(rank) => change({ rank })}
        />
        <Buttons
          label="Days"
          value={view.days}
          options={[
            ['30', '30 days'],
            ['90', '90 days'],
          ]}
          onChange={(days) => change({ days })}
        />
        <Buttons
          label="Rig sizes"
          value={view.rigs}
          options={[
            ['best', 'Best rig size'],
            ['all', 'All'],
          ]}
          onChange={(rigs) => change({ rigs })}
        />
        <MachineFilters view={view} change={change} />
      </form>
      <Status of={[costs, answer]} hasData={answer.data !== undefined} />
      {answer.data ? (
        classes.length > 0 ? (
          <RankTable classes={classes} view={view} change={change} />
        ) : (
          <Nothing answer={answer.data} />
        )
      ) : (
        <div class="card ranks-awaited" aria-busy="true">
          <Skeleton />
        </div>
      )}
      {best && <Terms names={[...new Set(classes.map(({ gpu_name }) => gpu_name))]} view={view} />}
      <div class="two-charts">
        {/* Below the ranking: it must not move when that one comes. */}
        {answer.data && (market.isPending || market.data) && market.data?.gpus.length !== 0 && (
          <Frontier gpus={market.data?.gpus ?? []} />
        )}
        {best && best.payback.purchase_price !== null && best.net.value !== null && (
          <PaybackChart of={best} income={earnedIn(best, view).income.value} fee={fee} />
        )}
      </div>
      <p class="note">
        Per GPU and day on the market, of the days before the newest published day: observed, not promised.{' '}
        {answer.data && costsText(answer.data)} The power is that of the GPU alone; the rest of a machine
        takes more. The interval is that of the mean of such machines; a single one may earn much more or
        less.
      </p>
    </main>
  )
}

/** Rig sizes and terms of a GPU type. Read when the section is opened. */
function Terms({ names, view }: { names: readonly string[]; view: View }) {
  const chosen = useSignal('')
  return (
    <section aria-label="Rig size and terms">
      <h2>Which rig size, and which terms?</h2>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Select
          label="GPU type"
          value={chosen.value}
          options={[['', 'Choose a GPU type'], ...names.map((name) => [name, name] as const)]}
          onChange={(name) => {
            chosen.value = name
          }}
        />
      </form>
      {chosen.value && <IncomeByTerms name={chosen.value} filters={filterOf(view)} />}
    </section>
  )
}

const costsText = ({ not_taken_off }: ReturnsAnswer): string =>
  not_taken_off.length > 0
    ? `Not taken off, since they are not entered: ${not_taken_off.join(' and ')}.`
    : 'Power and fee are taken off.'

function Best({ best, answer, view }: { best: ClassReturns; answer: ReturnsAnswer; view: View }) {
  const { payback, net, next_30 } = best
  const earned = earnedIn(best, view)
  const isPaid = view.rank === 'payback' && payback.months !== null
  const headline = isPaid
    ? `${rigName(best)} pays back in about ${Math.round(payback.months ?? 0)} months`
    : `${rigName(best)} left most${view.rank === 'watt' ? ' per watt' : ''}: ${price(net.value)} per GPU and day`
  const [low, high] = isPaid ? [payback.low, payback.high] : [net.low, net.high]
  const text = (value: number | null) =>
    value === null ? 'never' : isPaid ? `${oneDecimal(value)} months` : price(value)
  return (
    <section class="card pad">
      <output>
        <strong class="headline">{headline}</strong>
        <Grade level={gradeOf(earned.machines)} />
        <span class="quiet">
          {next_30.low !== null &&
            `The next 30 days: ${price(next_30.low)} to ${price(next_30.high)}, in 95 of 100 cases. `}
          {text(low)} to {text(high)}, from {counted(earned.machines, 'machine')} in {view.days} days.{' '}
          {isPaid &&
            payback.falling !== null &&
            `${oneDecimal(payback.falling)} months if prices go on falling. `}
          {costsText(answer)}
        </span>
      </output>
    </section>
  )
}

const gradeOf = (machines: number) => (machines >= 100 ? 4 : machines >= 30 ? 3 : 2)

function Nothing({ answer: { days, classes } }: { answer: ReturnsAnswer }) {
  if (filling.value !== null)
    return (
      <NoData icon={outlines.clock} title="The history is still being filled">
        <p>
          {filledPercent(filling.value)} is there. Incomes need seven whole days; the ranking appears here by
          itself.
        </p>
      </NoData>
    )
  const isYoung = classes.some(({ net_reason }) => net_reason === 'young_market') || days === 0
  return (
    <NoData
      icon={outlines.search}
      title={isYoung ? 'The market is too young' : 'No class has enough machines'}
    >
      <p>
        {isYoung
          ? `Incomes need seven whole days of snapshots. There are ${counted(days, 'day')}.`
          : 'Incomes are shown of classes of at least 5 machines of 3 hosts. Choose all machines.'}
      </p>
    </NoData>
  )
}
