import { signal } from '@preact/signals'

/** The number of things to do on a page, with their name. */
export interface TaskCount {
  count: number
  words: string
  /** True for an alert or a machine that is offline. */
  isBad: boolean
}

/**
 * The things to do, by the address of the page where they are done, and by the title of the place in the menu. They come after the figures of the
 * first page, with the script that counts them.
 */
export const taskCounts = signal<ReadonlyMap<string, TaskCount>>(new Map())
