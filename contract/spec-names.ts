/** The specs of a machine, in the order of their text in the observations (specs-text.ts) and of the table `specs`. */
export const specNames = [
  'inet_up',
  'inet_down',
  'disk_bw',
  'disk_space',
  'cpu_name',
  'cpu_cores_effective',
  'cpu_ram',
  'pcie_bw',
  'gpu_mem_bw',
  'driver_version',
  'cuda_max_good',
  'direct_port_count',
  'static_ip',
  'score',
] as const
export type SpecName = (typeof specNames)[number]
