import { signal } from '@preact/signals'

/** The newest snapshot named by any answer, unix seconds; 0: none yet. */
export const newestSlot = signal(0)

/** True if an answer contained data of a simulated market. */
export const simulated = signal(false)

/** The finished share of a simulated history, 0 to 1; null: no history is being generated. */
export const filling = signal<number | null>(null)

/** Seconds by which the site shows newest snapshots late. */
export const delay = signal(0)

/** Sentences of the service about a full disk and about damaged or lost figures. */
export const notices = signal<readonly string[]>([])

/** True while the service announces new snapshots. Otherwise pages poll. */
export const live = signal(false)

/** The polling interval in milliseconds; false: no polling. A component that reads it is drawn again when announcements begin or end. */
export const usualInterval = (): number | false => (live.value ? false : 60_000)

/** Reads the headers that every answer about the market has. */
export function hear(headers: Headers): void {
  newestSlot.value = Math.max(newestSlot.value, Number(headers.get('rackrate-newest-slot')))
  if (headers.get('rackrate-simulated') === 'true') simulated.value = true
}
