// fragments/thin.sql has the same numbers.
const fewestMachines = 5
const fewestHosts = 3

/** Why nothing is shown of a group of machines of which something is known: it would be known of single hosts. null: there are enough. */
export function fewReason(machines: number, hosts: number): 'few_machines' | 'few_hosts' | null {
  if (machines < fewestMachines) return 'few_machines'
  return hosts < fewestHosts ? 'few_hosts' : null
}
