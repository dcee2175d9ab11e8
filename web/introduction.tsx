import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { pages } from '../contract/pages.ts'
import { newestSlot, simulated } from './api/freshness.ts'
import { seesMarket, type User } from './api/queries.ts'
import { useSources } from './api/sources.ts'
import { source } from './source.ts'
import { keep, kept } from './storage.ts'

/** The question that each page answers. Pages of admins need no introduction. */
const questions: Record<string, string> = {
  [pages.today]: 'What should I do now?',
  [pages.market]: 'What do others charge?',
  [pages.charts]: 'How does the market move?',
  [pages.machines]: 'Where do mine stand?',
  [pages.price]: 'What should I charge?',
  [pages.costs]: 'What do my machines cost?',
  [pages.history]: 'Which prices were set?',
  [pages.elsewhere]: 'What do clouds charge?',
  [pages.alerts]: 'When should I look again?',
  [pages.autopilot]: 'Can prices follow the market?',
}

const storageName = 'rackrate-introduced'

/** The introduction above each page, until it is dismissed: the question of the page, a description of rackrate, and the name of the market. */
export function Introduction({ user }: { user: User | undefined }) {
  const [path] = useLocation()
  const isKnown = useSignal(kept('localStorage', storageName) !== undefined)
  const question = questions[path]
  if (isKnown.value || !question || (user && !seesMarket(user))) return null
  return (
    <aside class="introduction" aria-label="Introduction">
      <p>
        <strong>{question}</strong>
      </p>
      <p class="quiet">
        rackrate shows what a GPU rental market charges, and how much of it is rented.
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

/** The name of the market, once it is known. */
function Whose() {
  const { data: sources } = useSources()
  const name = source ?? sources?.[0]?.name
  const whose = simulated.value
    ? 'a simulated market'
    : name
      ? `${name}`
      : sources && newestSlot.value > 0 && 'this marketplace'
  // The space belongs to the text: as a separate text it would have no place until more follows, and would move then.
  return whose ? ` It shows the machines of ${whose}.` : null
}
