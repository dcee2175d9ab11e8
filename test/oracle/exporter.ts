import { type MachineAtSlot, nearestRank } from './history.ts'

interface Part {
  machine: number
  host: string
  gpu: string
  verified: boolean
  datacenter: boolean
  rig: number
  rented: boolean
  gpus: number
  price: number
  /** Prices per 100 points of the deep-learning score. */
  cost: number
  dlperf: number
}

const choices = ['yes', 'no', 'any']
const fits = (choice: string, value: boolean) => choice === 'any' || (choice === 'yes') === value
const ranges: Record<string, (rig: number) => boolean> = {
  '1-3': (rig) => rig <= 3,
  '4-7': (rig) => rig >= 4 && rig <= 7,
  '8+': (rig) => rig >= 8,
}

/** Every sample of /metrics/global for one slot, as `name{labels in alphabetical order}` and its value. Counted one class after the other. */
export function expectedSamples(seen: readonly MachineAtSlot[], slot: number): Map<string, number> {
  const parts = seen.flatMap((one): Part[] => {
    const { gpu, verified, hosting, rig, free, price, rented, dlperf } = one
    const host = one.early || one.host == null ? `machine ${one.machine}` : `${one.host}`
    const machine = {
      machine: one.machine,
      host,
      gpu,
      verified,
      datacenter: hosting === 'secure_cloud',
      rig,
      dlperf,
    }
    const parts = [
      { ...machine, rented: false, gpus: free, price },
      ...rented.map((rental) => ({ ...machine, rented: true, gpus: rental.gpus, price: rental.price })),
    ]
    return parts
      .filter(({ gpus }) => gpus > 0)
      .map((part) => ({ ...part, cost: (100 * part.price) / part.dlperf }))
  })
  const samples = new Map<string, number>()
  const put = (name: string, labels: Record<string, string>, value: number) => {
    const text = Object.keys(labels)
      .sort()
      .map((label) => `${label}="${labels[label]}"`)
      .join()
    samples.set(`${name}{${text}}`, value)
  }
  const putPrices = (
    prefix: string,
    [low, high]: [string, string],
    labels: Record<string, string>,
    some: Part[],
  ) => {
    const rentals = some.filter((part) => part.rented)
    const isFew =
      new Set(rentals.map((part) => part.machine)).size < 5 ||
      new Set(rentals.map((part) => part.host)).size < 3
    if (rentals.length > 0 && isFew) return
    const of = prefix.endsWith('dlperf') ? 'cost' : 'price'
    const weighted = some.map((part) => ({ value: part[of], weight: part.gpus }))
    for (const [name, tenths] of [
      [low, 1],
      ['median', 5],
      [high, 9],
    ] as const) {
      const value = nearestRank(weighted, tenths)
      if (value !== null) put(`${prefix}_${name}_dollars`, labels, value)
    }
  }
  const gpusOf = (some: Part[]) => some.reduce((sum, { gpus }) => sum + gpus, 0)
  const names = ['10th_percentile', '90th_percentile'] as [string, string]

  put('rackrate_market_slot_timestamp_seconds', {}, slot)
  for (const gpu_name of new Set(parts.map(({ gpu }) => gpu))) {
    const own = parts.filter(({ gpu }) => gpu === gpu_name)
    for (const verified of choices)
      for (const rented of choices) {
        const some = own.filter((one) => fits(verified, one.verified) && fits(rented, one.rented))
        if (verified !== 'any' && rented !== 'any')
          put('vastai_gpu_count', { gpu_name, verified, rented }, gpusOf(some))
        putPrices('vastai_ondemand_price', names, { gpu_name, verified, rented }, some)
        if (verified === 'any') continue
        for (const datacenter of ['yes', 'no'])
          for (const [gpu_count_range, holds] of Object.entries(ranges)) {
            const inClass = (one: Part) =>
              fits(verified, one.verified) && fits(datacenter, one.datacenter) && holds(one.rig)
            if (!own.some(inClass)) continue
            const labels = { gpu_name, verified, datacenter, gpu_count_range, rented }
            put('vastai_v2_gpu_count', labels, gpusOf(some.filter(inClass)))
            putPrices('vastai_v2_ondemand_price', names, labels, some.filter(inClass))
          }
      }
    putInfo(put, gpu_name, own, seen)
  }
  for (const verified of choices)
    for (const rented of choices) {
      const some = parts.filter((one) => fits(verified, one.verified) && fits(rented, one.rented))
      putPrices('vastai_ondemand_price_per_100dlperf', ['p10', 'p90'], { verified, rented }, some)
    }
  return samples
}

function putInfo(
  put: (name: string, labels: Record<string, string>, value: number) => void,
  gpu_name: string,
  own: Part[],
  seen: readonly MachineAtSlot[],
) {
  const onMarket = seen.filter((one) => one.gpu === gpu_name && (one.free > 0 || one.rented.length > 0))
  const ram = onMarket.flatMap((one) => (one.early || one.ram == null ? [] : [one.ram]))
  if (ram.length > 0) put('vastai_gpu_vram_gigabytes', { gpu_name }, Math.ceil(Math.max(...ram) / 1024))
  const scores = own.map(({ dlperf, gpus }) => ({ value: dlperf, weight: gpus }))
  put('vastai_gpu_dlperf_score', { gpu_name }, nearestRank(scores, 9) ?? Number.NaN)
  const flops = onMarket.flatMap((one) => {
    const rented = one.rented.reduce((sum, { gpus }) => sum + gpus, 0)
    return [{ value: one.tflops, weight: one.free + rented }]
  })
  put('vastai_gpu_teraflops', { gpu_name }, nearestRank(flops, 9) ?? Number.NaN)
}
