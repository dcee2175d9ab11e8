import { Link } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { delay, filling, newestSlot } from '../api/freshness.ts'
import { useSources } from '../api/sources.ts'
import { present } from '../clock.ts'
import { filledPercent, lateAfter } from '../components/age.tsx'
import { Icon } from '../components/icon.tsx'
import { outlines } from '../components/outlines.ts'
import { duration } from '../format.ts'

/** The health of the recording, for admins: each market, the age of its newest snapshot, and the error of its last request. */
export function Recording() {
  const { data: sources } = useSources()
  const rows =
    sources && sources.length > 0
      ? sources
      : [{ name: 'This marketplace', newest_slot: newestSlot.value || null, failures: 0, problem: null }]
  return (
    <section class="card to-do" aria-labelledby="recording">
      <header>
        <h2 id="recording">Recording</h2>
        <span class="quiet">
          {filling.value !== null && `${filledPercent(filling.value)} of the history is there`}
        </span>
      </header>
      <ul>
        {rows.map(({ name, newest_slot, failures, problem }) => {
          const age = newest_slot === null ? null : Math.max(0, present() - newest_slot)
          const isFine = problem === null && age !== null && age - delay.value < lateAfter
          return (
            <li key={name}>
              <span class={`badge ${isFine ? 'good' : 'bad'}`}>
                <Icon outline={isFine ? outlines.check : outlines.alert} />
              </span>
              <div>
                <b>{name}</b>
                <p>
                  {problem ?? (age === null ? 'No snapshot yet.' : `Newest snapshot ${duration(age)} old.`)}
                </p>
              </div>
              <span class="amount quiet">{failures > 0 && `${failures} failed requests`}</span>
              <Link href={pages.sql} class="outline" role="button" aria-label={`Look into it: ${name}`}>
                Look into it
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
