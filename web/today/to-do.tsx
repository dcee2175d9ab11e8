import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import type { AlertRule } from '../../contract/alerts.ts'
import type { AutopilotRule } from '../../contract/autopilot.ts'
import { week } from '../../contract/durations.ts'
import { pages } from '../../contract/pages.ts'
import type { Estimate } from '../../estimates/fill-rate.ts'
import { useRules } from '../alerts/api.ts'
import { describe } from '../alerts/words.ts'
import type { OwnMachine } from '../api/queries.ts'
import { useRules as useAutopilot } from '../autopilot/api.ts'
import { PriceReview } from '../autopilot/price-review.tsx'
import { present } from '../clock.ts'
import { Icon } from '../components/icon.tsx'
import { outlines } from '../components/outlines.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { Status } from '../components/status.tsx'
import { waitingSentence } from '../components/waiting-words.ts'
import { deskOfMachine } from '../desk/address.ts'
import { counted, dateTime, duration, earned, price } from '../format.ts'
import { attentionOf, type Look } from '../machines/attention.ts'
import { changeOf, gainWords } from '../machines/choose-prices.tsx'
import { gainRange } from '../machines/gain-range.ts'
import { needsDecision } from '../task-counts.ts'

interface ToDoProps {
  machines: readonly OwnMachine[]
  look: Look
  waiting: boolean
  /** Further machines are still being read. */
  hasMore: boolean
  /** The gain of all changes of prices together; undefined: not known yet. */
  together: Estimate | null | undefined
  /** True if the page reports already that the service is away. */
  isTold: boolean
}

/** A task: its reason, its value, and one button. */
interface Task {
  icon: string
  tone: 'accent' | 'bad' | 'warn' | 'info' | ''
  title: string
  why: string
  amount: string
  action: ComponentChildren
}

/** The most rows of one kind. Further ones are counted in the last row. */
const most = 3

/** The present tasks: gains first, then losses to avoid, then notices. */
export function ToDo({ machines, look, waiting, hasMore, together, isTold }: ToDoProps) {
  const alerts = useRules()
  const rules = useAutopilot()
  const now = present()
  const tasks = [
    ...pricesOf(machines, look, together),
    ...troublesOf(machines, look),
    ...unlistedOf(machines),
    ...endingOf(machines, look),
    ...(alerts.data ?? []).filter(({ status }) => status === 'firing').map(alertTask),
    ...(rules.data?.rules ?? []).filter((rule) => needsDecision(rule, now)).map(ruleTask),
  ]
  const isKnown = alerts.data !== undefined && rules.data !== undefined
  const isAwaited = alerts.isPending || rules.isPending
  if (isTold && !waiting && machines.length + tasks.length === 0) return null
  return (
    <section class="card to-do" aria-labelledby="to-do">
      <header>
        <h2 id="to-do">To do now</h2>
        <span class="quiet">
          {!waiting &&
            tasks.length > 0 &&
            (hasMore ? `of ${counted(machines.length, 'machine')} so far` : counted(tasks.length, 'thing'))}
        </span>
      </header>
      {!isTold && <Status of={[alerts, rules]} hasData={alerts.data !== undefined} />}
      {waiting || (tasks.length === 0 && isAwaited) ? (
        <Skeleton />
      ) : tasks.length === 0 ? (
        isKnown && (
          <p class="pad quiet">
            {machines.length > 0
              ? hasMore
                ? 'Reading further machines.'
                : 'Nothing: no price to change, no machine offline, no alert.'
              : 'Nothing yet.'}
          </p>
        )
      ) : (
        <ul>
          {tasks.map((task) => (
            <TaskRow key={task.title} {...task} />
          ))}
        </ul>
      )}
    </section>
  )
}

const TaskRow = ({ icon, tone, title, why, amount, action }: Task) => (
  <li>
    <span class={`badge ${tone}`}>
      <Icon outline={icon} />
    </span>
    <div>
      <b dir="auto" title={title}>
        {title}
      </b>
      <p>{why}</p>
    </div>
    <span class={tone === 'accent' ? 'amount good' : 'amount quiet'}>{amount}</span>
    {action}
  </li>
)

const toPage = (href: string, words: string, about: string) => (
  <Link href={href} class="outline" role="button" aria-label={`${words}: ${about}`}>
    {words}
  </Link>
)

const machineOf = ({ id, num_gpus, gpu_name }: OwnMachine): string =>
  `Machine ${id}, ${num_gpus}× ${gpu_name}`

const idsOf = (ids: readonly number[]): string =>
  ids.length === 1
    ? `Machine ${ids[0]}.`
    : ids.length <= 4
      ? `Machines ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}.`
      : `Machines ${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more.`

/** The prices whose change should earn more, in one row that leads to all of them. */
function pricesOf(machines: readonly OwnMachine[], look: Look, together: ToDoProps['together']): Task[] {
  const found = machines
    .flatMap((machine) => {
      const change = changeOf(machine)
      const gain = attentionOf(machine, look)?.aDay ?? machine.figures?.advice.gain_per_day?.value ?? 0
      return change ? [{ change, gain }] : []
    })
    .sort((one, other) => other.gain - one.gain)
  if (found.length === 0) return []
  const gain = together?.value ?? found.reduce((sum, one) => sum + one.gain, 0)
  const range = together ? ` Together ${gainRange(together)} a day.` : ''
  return [
    {
      icon: outlines.tag,
      tone: 'accent',
      title: `${counted(found.length, 'price')} to change`,
      why: `${idsOf(found.map(({ change }) => change.machine_id))}${range}`,
      amount: gain > 0 ? gainWords(gain) : '',
      action: (
        <PriceReview
          changes={found.map(({ change }) => change)}
          label={`Review ${counted(found.length, 'price')}`}
        />
      ),
    },
  ]
}

/** Machines that are offline, or idle too long, the costliest first. */
function troublesOf(machines: readonly OwnMachine[], look: Look): Task[] {
  const found = machines
    .flatMap((machine) => {
      const attention = attentionOf(machine, look)
      return attention?.trouble === 'offline' || attention?.trouble === 'idle' ? [{ machine, attention }] : []
    })
    .sort((one, other) => (other.attention.aDay ?? 0) - (one.attention.aDay ?? 0))
  return found.slice(0, most).map(({ machine, attention: { trouble, aDay, since } }, index): Task => {
    const waiting = machine.figures?.waiting
    const left = index === most - 1 ? found.length - most : 0
    const isOffline = trouble === 'offline'
    return {
      icon: isOffline ? outlines.power : outlines.clock,
      tone: isOffline ? 'bad' : 'warn',
      title: `${machineOf(machine)} is ${isOffline ? 'offline' : 'idle too long'}`,
      why: [
        sinceWords(since, look.slot),
        !isOffline && waiting && waitingSentence(waiting),
        left > 0 && `So are ${left} others.`,
      ]
        .filter(Boolean)
        .join(' '),
      amount: aDay ? `${earned(aDay)} a day at stake` : '',
      action: isOffline
        ? toPage(`${pages.machines}?show=offline`, 'See the machine', machineOf(machine))
        : toPage(deskOfMachine(machine.id, 'local'), 'See the price', machineOf(machine)),
    }
  })
}

/** The length of a trouble. It may have begun after the newest snapshot. */
function sinceWords(since: number | null, slot: number): string {
  if (since === null) return 'Since an unknown time.'
  return since < slot ? `For ${duration(slot - since)}.` : 'Since the newest snapshot.'
}

/** A rental outlives the listing that it began with. */
const hasRentals = ({ rented_gpus }: OwnMachine): boolean => (rented_gpus ?? 0) > 0

/** Machines that are online without a listing. */
const unlistedOf = (machines: readonly OwnMachine[]): Task[] =>
  machines
    .filter(({ online, figures }) => online && figures?.advice.verdict === 'start')
    .slice(0, most)
    .map((machine) => ({
      icon: outlines.alert,
      tone: 'warn',
      title: `${machineOf(machine)} is not listed`,
      why: `${hasRentals(machine) ? 'Present rentals go on, but no new one can begin.' : 'It cannot be rented.'} A price to begin with is ${price(machine.figures?.advice.price)}.`,
      amount: '',
      action: toPage(deskOfMachine(machine.id, 'local'), 'See the price', machineOf(machine)),
    }))

/** Listings that end within a week. */
function endingOf(machines: readonly OwnMachine[], { slot }: Look): Task[] {
  const found = machines.flatMap((machine) => {
    const end = machine.terms?.end_date ?? null
    return end !== null && machine.online && end > slot && end - slot < week ? [{ machine, end }] : []
  })
  return found.slice(0, most).map(
    ({ machine, end }): Task => ({
      icon: outlines.calendar,
      tone: 'warn',
      title: `The listing of machine ${machine.id} ends in ${duration(end - slot)}`,
      why: `${machine.num_gpus}× ${machine.gpu_name}${machine.rented_gpus === null ? '' : `, ${machine.rented_gpus} of ${machine.num_gpus} GPUs rented`}.`,
      amount: '',
      action: toPage(deskOfMachine(machine.id, 'local'), 'See its terms', machineOf(machine)),
    }),
  )
}

function alertTask({ name, condition, firing: [first], email, webhook_url }: AlertRule): Task {
  return {
    icon: outlines.bell,
    tone: 'info',
    title: name,
    why: [
      `${describe(condition)}${first ? `, since ${dateTime(first.since)}` : ''}.`,
      !email && webhook_url === null && 'Feed only: no mail is sent.',
    ]
      .filter(Boolean)
      .join(' '),
    amount: '',
    action: toPage(`${pages.alerts}?tab=firing`, 'See the alert', name),
  }
}

/** A rule with something to decide. */
const ruleTask = ({ name, stop_reason }: AutopilotRule): Task => ({
  icon: outlines.bot,
  tone: stop_reason === null ? '' : 'bad',
  title: stop_reason === null ? `The dry run of “${name}” can end` : `“${name}” has stopped`,
  why: stop_reason ?? 'It has run for a day. Let it go live, or only suggest.',
  amount: '',
  action: toPage(pages.autopilot, 'See the rule', name),
})
