import {
  available,
  type Format,
  gpuNameOf,
  gpusOf,
  isEmpty,
  measureOf,
  NotOffered,
  type Observation,
  pricePerGpu,
  stableId,
  textOf,
} from './observation.ts'
import { slotOf } from './times.ts'

/**
 * Daily list prices of rental companies. A row is an entry of a price list, not a machine: it counts as one available rig of `min_gpus` (by default
 * 1) GPUs. Its number is derived from all fields of the entry, including the price, since a company lists variants that differ in the price only. The
 * same entry twice in a day is a duplicate. Serverless offers are rejected, since they are not for a machine.
 */
export const rentalOffersDaily: Format = {
  source: 'rental-offers-daily',
  readWith: { format: 'rental-offers-daily', source: 'rental-offers-daily' },
  columns: ['ts', 'provider', 'gpu', 'vram_gb', 'min_gpus', 'kind', 'usd_gpu_hr'],
  overlapping: false,
  hasRentals: false,
  observe(fields) {
    const kind = textOf(fields.kind, 'kind')
    if (kind === 'serverless') throw new NotOffered('serverless is not the rental of a machine')
    const gpus = isEmpty(fields.min_gpus) ? 1 : gpusOf(fields.min_gpus, 'min_gpus')
    const gpu = textOf(fields.gpu, 'gpu')
    const provider = textOf(fields.provider, 'provider')
    const vram = measureOf(fields.vram_gb, 'vram_gb')
    const price = pricePerGpu(fields.usd_gpu_hr, 'usd_gpu_hr', 1)
    return available({
      slot: slotOf(fields.ts, 'ts'),
      machine_id: stableId([provider, gpu, fields.vram_gb ?? '', gpus, kind, price].join('\n')),
      gpu_name: gpuNameOf(readableName(gpu), 'gpu'),
      gpus,
      hosting_type: kind === 'secure' ? 'secure_cloud' : kind === 'community' ? 'community' : 'unknown',
      price,
      gpu_ram: vram === null ? null : Math.round(vram * 1024),
      rental_type: rentalTypes[kind] ?? 'unknown',
      min_gpus: gpus,
    })
  },
}

const rentalTypes: Readonly<Record<string, Observation['rental_type']>> = {
  'on-demand': 'on_demand',
  reserved: 'reserved',
  spot: 'interruptible',
}

const spellings: Readonly<Record<string, string>> = {
  ada: 'Ada',
  maxq: 'Max-Q',
  quadro: 'Quadro',
  server: 'S',
  ti: 'Ti',
  wk: 'WS',
}

/**
 * `rtx-4090` → `RTX 4090`, `rtx-3090-ti` → `RTX 3090 Ti`, `a100-pcie-80` → `A100 PCIE 80`, `rtx-pro-6000-wk` → `RTX PRO 6000 WS`: the
 * marketplace's spelling, so that series with the same name line up. Different slugs keep different names.
 */
export const readableName = (slug: string): string =>
  slug
    .split('-')
    .map((word) => spellings[word.toLowerCase()] ?? word.toUpperCase())
    .join(' ')
