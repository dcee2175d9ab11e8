import { type SpecName, specNames } from './spec-names.ts'

/** Specs in a record. Missing specs are unknown. */
export type GivenSpecs = Partial<Record<SpecName, unknown>>

/** Largest figures. Above it, a figure has the wrong unit or is invented. PostgreSQL has the same limits (migration 053_specs.sql). */
const most: Partial<Record<SpecName, number>> = {
  inet_up: 1e6,
  inet_down: 1e6,
  disk_bw: 1e6,
  disk_space: 1e7,
  cpu_cores_effective: 1e4,
  cpu_ram: 1e8,
  pcie_bw: 1e4,
  gpu_mem_bw: 1e5,
  cuda_max_good: 100,
  score: 1e6,
}

const mostPorts = 65_535

// Printable characters that stand in JSON as they are.
const cpuName = /^[^"\\\p{Cc}\p{Cs}]{1,100}$/u
const driverVersion = /^\d{1,5}(\.\d{1,5}){1,3}$/
const yes = /^(true|t|1|yes)$/i
const no = /^(false|f|0|no)$/i

/**
 * The specs of a machine as the series stores them: a JSON array in the order of `specNames`, or '' if all are unknown. No statistic of the market
 * depends on a spec, so an unreadable one is unknown, and its machine still counts. `leaveOut` receives the reason.
 */
export function specsText(given: GivenSpecs, leaveOut: (reason: string) => void = () => {}): string {
  const values = specNames.map((name) => {
    const value = given[name]
    const text = textOfSpec(name, typeof value === 'object' ? '' : `${value ?? ''}`.trim())
    if (text === undefined) leaveOut(`${name} is not a possible value`)
    return text ?? 'null'
  })
  return values.every((value) => value === 'null') ? '' : `[${values}]`
}

/** Undefined: not a possible value. */
function textOfSpec(name: SpecName, value: string): string | undefined {
  if (value === '') return 'null'
  if (name === 'cpu_name') return cpuName.test(value) ? `"${value}"` : undefined
  if (name === 'driver_version') return driverVersion.test(value) ? `"${value}"` : undefined
  if (name === 'static_ip') return yes.test(value) ? 'true' : no.test(value) ? 'false' : undefined
  const figure = Number(value)
  if (name === 'direct_port_count')
    return Number.isInteger(figure) && figure >= 0 && figure <= mostPorts ? `${figure}` : undefined
  // Marketplaces write 0 for a figure that was not measured.
  if (figure === 0) return 'null'
  // A repeated measurement differs in the last digits and is no change.
  return figure >= 0.001 && figure <= (most[name] ?? 0) ? `${Number(figure.toPrecision(3))}` : undefined
}
