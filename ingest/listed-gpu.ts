import { typesNamed } from '../contract/gpu-types.ts'

/** A GPU as a provider lists it. */
export interface ListedGpu {
  provider: string
  /** The provider's name of the GPU. */
  name: string
  /** GB per GPU; undefined: not listed. */
  memory?: number | undefined
  /** The provider's name of the instance with this GPU. */
  instance: string
}

/**
 * GPU types of instances whose GPU is listed without its form factor. Sources: the pages of AWS (p4, p5, g7e), Azure (NC and ND
 * series), Google Cloud (a2, a3, g4), Oracle (shapes), Lambda and Verda on their instance types.
 */
const families: readonly [provider: string, instance: RegExp, name: string][] = [
  ['aws', /^p4de?\./, 'A100 SXM4'],
  ['aws', /^p5\./, 'H100 SXM'],
  ['aws', /^g7e\./, 'RTX PRO 6000 S'],
  ['azure', /ND\d+\w*_A100_v4|ND96asr_v4/, 'A100 SXM4'],
  ['azure', /NC\d+ads_A100_v4/, 'A100 PCIE'],
  ['azure', /ND\d+\w*_H100_v5/, 'H100 SXM'],
  ['azure', /NC+\d+ads_H100_v5/, 'H100 NVL'],
  ['gcp', /^a2-(?:high|mega|ultra)gpu/, 'A100 SXM4'],
  ['gcp', /^a3-(?:high|mega|edge)gpu/, 'H100 SXM'],
  ['gcp', /^g4-standard/, 'RTX PRO 6000 S'],
  ['oci', /^BM\.GPU(?:4\.8|\.A100-v2\.8)$/, 'A100 SXM4'],
  ['oci', /^BM\.GPU\.H100\.8$/, 'H100 SXM'],
  ['lambda', /^gpu_8x_a100/, 'A100 SXM4'],
  ['verda', /^\d+A100\./, 'A100 SXM4'],
  ['verda', /^\d+H100\./, 'H100 SXM'],
]

/** Names that catalogs give the same providers. */
const sameProviders: Readonly<Record<string, string>> = { lambdalabs: 'lambda', datacrunch: 'verda' }

const forms = [
  [/sxm|hbm3/i, / SXM/],
  [/pcie/i, / PCIE/],
  [/nvl/i, / NVL/],
  [/max-?q/i, / Max-Q$/],
  [/server edition/i, / S$/],
  [/workstation edition/i, / WS$/],
] as const

/** The canonical name of a listed GPU. Returns undefined unless name, memory and instance identify exactly one GPU type. */
export function canonicalName({ provider, name, memory, instance }: ListedGpu): string | undefined {
  const names = typesNamed(name, memory).map((type) => type.name)
  if (names.length < 2) return names[0]
  const as = sameProviders[provider] ?? provider
  const family = families.find(([of, pattern]) => of === as && pattern.test(instance))
  if (family) return names.find((one) => one === family[2])
  const form = forms.find(([told]) => told.test(instance))
  return form && names.find((one) => form[1].test(one))
}
