import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { pages } from '../contract/pages.ts'
import { newestSlot, simulated } from './api/freshness.ts'
import { seesMarket, type User } from './api/queries.ts'
import { useSources } from './api/sources.ts'
import { source } from './source.ts'
import { keep, kept } from './storage.ts'

/** What each page answers: the question, and how. */
const questions: Record<string, [string, string]> = {
  [pages.market]: ['What do others charge?', 'Each GPU type in a row. Its name leads to its charts.'],
  [pages.charts]: ['How does the market move?', 'Prices, supply and occupancy. Drag to zoom.'],
  [pages.machines]: ['Where do mine stand?', 'Your machines beside others of their class.'],
  [pages.price]: ['What should I charge?', 'What a price would earn, and how soon.'],
  [pages.elsewhere]: ['What do clouds charge?', 'Their list prices beside this market.'],
  [pages.alerts]: ['When should I look again?', 'Rules write to you when something changes.'],
  [pages.autopilot]: ['Can prices follow the market?', 'Rules suggest prices, and set them if you let them.'],
  [pages.sql]: ['What else is in the data?', 'All observations, in SQL.'],
  [pages.dashboards]: ['What is asked often?', 'Saved statements as charts.'],
}

const storageName = 'rackrate-introduced'

/** What a first visit sees above each page, until it is dismissed: the question of the page, what rackrate is, and whose market it shows. */
export function Introduction({ user }: { user: User | undefined }) {
  const [path] = useLocation()
  const isKnown = useSignal(kept('localStorage', storageName) !== undefined)
  const [question, answer] = questions[path] ?? []
  if (isKnown.value || !question || (user && !seesMarket(user))) return null
  return (
    <aside class="introduction" aria-label="Introduction">
      <p>
        <strong>{question}</strong> {answer}
      </p>
      <p class="quiet">
        rackrate shows what a GPU rental market charges, and how much of it is rented.{' '}
        <span class="whose">{user && <Whose />}</span>
      </p>
      <button
        type="button"
        class="outline small"
        onClick={() => {
          isKnown.value = true
          keep('localStorage', storageName, 'yes')
          document.getElementById('content')?.focus({ preventScroll: true })
        }}
      >
        Got it
      </button>
    </aside>
  )
}

/** Whose market is shown: nothing until that is known. */
function Whose() {
  const { data: sources } = useSources()
  const name = source ?? sources?.[0]?.name
  const whose = simulated.value
    ? 'simulated'
    : name
      ? `that of ${name}`
      : sources && newestSlot.value > 0 && 'this site’s'
  return whose ? <>The market shown is {whose}.</> : null
}
