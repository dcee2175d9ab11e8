import { pages } from '../contract/pages.ts'
import type { OwnMachine, User } from './api/queries.ts'
import { deskOfMachine } from './desk/address.ts'
import { places, withFilters } from './places.ts'

/** Something that the search of the menu finds. */
export interface Target {
  group: 'Pages' | 'Machines' | 'GPU types' | 'Settings'
  title: string
  /** A quiet word beside the title. */
  about: string
  /** The address of a page, or an action. */
  to: string | (() => void)
}

/** The most targets that are shown. */
const most = 12

/** The pages that an account may open. */
export const pageTargets = (user: User, path: string, search: string): Target[] =>
  places.flatMap((place) =>
    place.tabs
      .filter(({ forAdmins }) => user.is_admin || !forAdmins)
      .map(({ to, title }) => ({
        group: 'Pages' as const,
        title,
        about: place.tabs.length > 1 ? place.title : '',
        to: withFilters(to, path, search),
      })),
  )

export const machineTarget = ({
  id,
  num_gpus,
  gpu_name,
  online,
}: Pick<OwnMachine, 'id' | 'num_gpus' | 'gpu_name' | 'online'>): Target => ({
  group: 'Machines',
  title: `${id}`,
  about: `${num_gpus}× ${gpu_name}${online ? '' : ', offline'}`,
  to: deskOfMachine(id, 'local'),
})

export const gpuTarget = (name: string): Target => ({
  group: 'GPU types',
  title: name,
  about: 'Charts',
  to: `${pages.charts}?gpu=${encodeURIComponent(name)}`,
})

/**
 * The targets that have every word of a text, best first: a title that begins with it, then a word that does. Without a text
 * pages and settings are shown.
 */
export function found(targets: readonly Target[], text: string): Target[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return targets.filter(({ group }) => group === 'Pages' || group === 'Settings')
  return targets
    .flatMap((target) => {
      const rank = rankOf(target, words)
      return rank === undefined ? [] : [{ target, rank }]
    })
    .sort((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ target }) => target)
}

/** 0: the title begins with the words; 1: parts of the title or of the quiet word do; 2: they are within; undefined: not found. */
function rankOf({ title, about }: Target, words: readonly string[]): number | undefined {
  const whole = `${title} ${about}`.toLowerCase()
  if (!words.every((word) => whole.includes(word))) return undefined
  if (title.toLowerCase().startsWith(words.join(' '))) return 0
  const parts = whole.split(/[\s,]+/)
  return words.every((word) => parts.some((part) => part.startsWith(word))) ? 1 : 2
}
