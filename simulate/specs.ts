import type { SpecName } from '../contract/spec-names.ts'
import type { SimulatedMachine } from './market.ts'
import { pick, type Random, seededFor } from './random.ts'

/** A machine as its specs depend on it. */
export type SpecifiedMachine = Pick<SimulatedMachine, 'id' | 'type' | 'numGpus'>

const processors: [name: string, threads: number][] = [
  ['AMD EPYC 7542 32-Core Processor', 64],
  ['AMD EPYC 7B13 64-Core Processor', 128],
  ['AMD Ryzen 9 7950X 16-Core Processor', 32],
  ['Xeon® Gold 6138', 80],
  ['Xeon® E5-2690 v4', 56],
]
const drivers: [version: string, cuda: number][] = [
  ['535.183.01', 12.2],
  ['550.127.05', 12.4],
  ['565.77', 12.7],
  ['570.86.15', 12.8],
]
const uplinks = [100, 300, 500, 900, 2000, 8000]

/**
 * The specs of a simulated machine, drawn from the machine and the number of its changes so far. Its hardware and its line stay the same. Speeds are
 * measured again with each change, and every fourth one may bring another driver.
 */
export function simulatedSpecs(
  seed: number,
  { id, type, numGpus }: SpecifiedMachine,
  era: number,
): Record<SpecName, number | string | boolean> {
  const fixed = seededFor(seed + 6, id)
  const now = seededFor(seed + 7 + id, era)
  const [cpu_name, threads] = pick(fixed, processors)
  const line = pick(fixed, uplinks)
  const [driver_version, cuda_max_good] = pick(seededFor(seed + 8 + id, Math.floor(era / 4)), drivers)
  const memory = pick(fixed, [16_000, 32_000, 64_000])
  return {
    inet_up: measured(now, line * (0.6 + 0.4 * fixed())),
    inet_down: measured(now, line),
    disk_bw: measured(now, pick(fixed, [500, 1500, 3500, 6500])),
    disk_space: 500 * numGpus,
    cpu_name,
    cpu_cores_effective: threads,
    cpu_ram: memory * numGpus,
    pcie_bw: measured(now, pick(fixed, [6, 12, 24, 48])),
    gpu_mem_bw: measured(now, 8 * type.tflops),
    driver_version,
    cuda_max_good,
    direct_port_count: pick(fixed, [0, 20, 100, 250, 1000]),
    static_ip: fixed() < 0.5,
    score: measured(now, 2 * type.dlperf),
  }
}

const measured = (random: Random, figure: number): number =>
  Number((figure * (0.98 + 0.04 * random())).toFixed(1))
