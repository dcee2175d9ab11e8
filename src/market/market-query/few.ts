// fragments/thin.sql has the same numbers.
const fewestMachines = 5
const fewestHosts = 3

/** The reason why a group of machines is hidden: its figures would reveal single hosts. null: the group is large enough. */
export function fewReason(machines: number, hosts: number): 'few_machines' | 'few_hosts' | null {
  if (machines < fewestMachines) return 'few_machines'
  return hosts < fewestHosts ? 'few_hosts' : null
}

/** The reason why figures of rented GPUs are missing in a market: its sources do not say which GPUs are rented. */
export const rentalsReason = (hasRentals: boolean) => (hasRentals ? null : ('no_rentals_known' as const))
