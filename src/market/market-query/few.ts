// fragments/thin.sql has the same numbers.
const fewestMachines = 5
const fewestHosts = 3

/** The reason why a group of machines is hidden: its figures would reveal single hosts. null: the group is large enough. */
export function fewReason(machines: number, hosts: number): 'few_machines' | 'few_hosts' | null {
  if (machines < fewestMachines) return 'few_machines'
  return hosts < fewestHosts ? 'few_hosts' : null
}

const isFew = (groups: readonly { machines: readonly number[]; hosts: readonly string[] }[]): boolean =>
  fewReason(
    new Set(groups.flatMap(({ machines }) => machines)).size,
    new Set(groups.flatMap(({ hosts }) => hosts)).size,
  ) !== null

/**
 * The groups of one class that are large enough to hide single machines. Another endpoint gives the total of all groups, so the groups left out must not be
 * small together either.
 */
export function shownGroups<Group extends { machines: readonly number[]; hosts: readonly string[] }>(
  groups: readonly Group[],
): Group[] {
  const hidden = groups.filter((group) => isFew([group]))
  const shown = groups
    .filter((group) => !isFew([group]))
    .toSorted((one, other) => other.machines.length - one.machines.length)
  while (hidden.length > 0 && isFew(hidden)) {
    const next = shown.pop()
    if (!next) break
    hidden.push(next)
  }
  return shown
}

/** The reason why figures of rented GPUs are missing in a market: its sources do not say which GPUs are rented. */
export const rentalsReason = (hasRentals: boolean) => (hasRentals ? null : ('no_rentals_known' as const))
