import { signal } from '@preact/signals'

/** Seconds by which the clock of the service is ahead of the browser's; 0: they agree. */
export const clockAhead = signal(0)
/** A header has whole seconds, and takes time to arrive. */
const agreeWithin = 30

/** Now by the clock of the service, unix seconds. The page reads the time nowhere else. */
export const present = (): number => Date.now() / 1000 + clockAhead.value

/** Takes the time of an answer over if the clock of the browser is wrong. */
export function hearTime(headers: Headers): void {
  const wrongBy = Date.parse(`${headers.get('date')}`) / 1000 - present()
  if (Math.abs(wrongBy) > agreeWithin) clockAhead.value += wrongBy
}
