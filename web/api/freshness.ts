import { signal } from '@preact/signals'

/** The newest snapshot that any answer knew of, unix seconds; 0: none yet. */
export const newestSlot = signal(0)

/** Whether an answer was about a simulated market. */
export const simulated = signal(false)

/** The share of a history that is being filled, 0 to 1; null: nothing is. */
export const filling = signal<number | null>(null)

/** Sentences of the service about a full disk and about damaged or lost figures. */
export const notices = signal<readonly string[]>([])

/** Whether new snapshots are announced by the service. While they are not, pages ask again from time to time. */
export const live = signal(false)

/** How soon a page asks again. A component that asks for it is drawn again when the service begins or ends to announce snapshots. */
export const usualInterval = (): number | false => (live.value ? false : 60_000)

/** Reads what every answer about the market says of the series. */
export function hear(headers: Headers): void {
  newestSlot.value = Math.max(newestSlot.value, Number(headers.get('rackrate-newest-slot')))
  if (headers.get('rackrate-simulated') === 'true') simulated.value = true
}
