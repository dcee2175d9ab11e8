import { soldMemory } from './gpu-memory.ts'
import { normalName } from './gpu-names.ts'

// Without zod: the page imports this, too.

export interface GpuType {
  /** The usual name on markets. */
  name: string
  vendor: 'NVIDIA' | 'AMD'
  /** Memory sizes in GB. */
  memory: readonly number[]
  /**
   * Board power in W, as published by the manufacturer (TGP, TDP or maximum power). For a type in several forms, the form with the most
   * power. Undefined: unknown.
   */
  watts?: number | undefined
  /** Other names, without the vendor's words and a size of memory. An alias of several types does not identify one. */
  aliases: readonly string[]
}

const nvidia = (
  name: string,
  memory: readonly number[],
  watts?: number,
  aliases: string[] = [],
): GpuType => ({
  name,
  vendor: 'NVIDIA',
  memory,
  watts,
  aliases,
})
const amd = (name: string, memory: readonly number[], watts?: number, aliases: string[] = []): GpuType => ({
  name,
  vendor: 'AMD',
  memory,
  watts,
  aliases,
})

/** All known GPU types. All other tables of GPUs are made from this one. */
export const gpuTypes: readonly GpuType[] = [
  nvidia('RTX 5090', [32], 575),
  nvidia('RTX 5080', [16], 360),
  nvidia('RTX 5070 Ti', [16], 300),
  nvidia('RTX 5070', [12], 250),
  nvidia('RTX 5060 Ti', [8, 16], 180),
  nvidia('RTX 5060', [8], 145),
  nvidia('RTX 4090', [24], 450),
  nvidia('RTX 4090D', [24], 425, ['RTX 4090 D']),
  nvidia('RTX 4080S', [16], 320, ['RTX 4080 Super']),
  nvidia('RTX 4080', [16], 320),
  nvidia('RTX 4070S Ti', [16], 285, ['RTX 4070 Ti Super']),
  nvidia('RTX 4070 Ti', [12], 285),
  nvidia('RTX 4070S', [12], 220, ['RTX 4070 Super']),
  nvidia('RTX 4070', [12], 200),
  nvidia('RTX 4060 Ti', [8, 16], 165),
  nvidia('RTX 4060', [8], 115),
  nvidia('RTX 3090 Ti', [24], 450),
  nvidia('RTX 3090', [24], 350),
  nvidia('RTX 3080 Ti', [12], 350),
  nvidia('RTX 3080', [10, 12], 320),
  nvidia('RTX 3070 Ti', [8], 290),
  nvidia('RTX 3070', [8], 220),
  nvidia('RTX 3060 Ti', [8], 200),
  nvidia('RTX 3060', [8, 12], 170),
  nvidia('RTX 2080 Ti', [11], 250),
  nvidia('GTX 1080 Ti', [11], 250),
  nvidia('GTX 1080', [8], 180),
  nvidia('RTX A6000', [48], 300, ['A6000']),
  nvidia('RTX A5000', [24], 230, ['A5000']),
  nvidia('RTX A4500', [20], 200, ['A4500']),
  nvidia('RTX A4000', [16], 140, ['A4000']),
  nvidia('RTX A2000', [6, 12], 70, ['A2000']),
  nvidia('RTX 6000Ada', [48], 300, ['RTX 6000', 'RTX 6000 Ada Generation', 'RTX A6000 Ada', 'A6000 Ada']),
  nvidia('RTX 5880Ada', [48], 285, ['RTX 5880 Ada Generation']),
  nvidia('RTX 5000Ada', [32], 250, ['RTX 5000', 'RTX 5000 Ada Generation']),
  nvidia('RTX 4500Ada', [24], 210, ['RTX 4500', 'RTX 4500 Ada Generation']),
  nvidia('RTX 4000Ada', [20], 130, ['RTX 4000', 'RTX 4000 Ada Generation']),
  nvidia('RTX 2000Ada', [16], 70, ['RTX 2000', 'RTX 2000 Ada Generation']),
  nvidia('Q RTX 8000', [48], 260, ['RTX 8000']),
  nvidia('Q RTX 6000', [24], 260, ['RTX 6000']),
  nvidia('Q RTX 5000', [16], 230, ['RTX 5000']),
  nvidia('Q RTX 4000', [8], 125, ['RTX 4000']),
  nvidia('RTX PRO 6000 WS', [96], 600, [
    'RTX PRO 6000',
    'RTX PRO 6000 WK',
    'RTX PRO 6000 Workstation',
    'RTX PRO 6000 Workstation Edition',
  ]),
  nvidia('RTX PRO 6000 S', [96], 600, [
    'RTX PRO 6000',
    'RTX PRO 6000 BSE',
    'RTX PRO 6000 Server',
    'RTX PRO 6000 Server Edition',
  ]),
  nvidia('RTX PRO 6000 Max-Q', [96], 300, ['RTX PRO 6000', 'RTX PRO 6000 Max-Q Workstation Edition']),
  nvidia('RTX PRO 5000', [48], 300),
  nvidia('RTX PRO 4500', [32], 200),
  nvidia('RTX PRO 4000', [24], 140),
  nvidia('A2', [16], 60),
  nvidia('A10', [24], 150, ['A10 PCIe']),
  nvidia('A10G', [24], 150),
  nvidia('A16', [16], 250),
  nvidia('A30', [24], 165, ['A30 PCIe']),
  nvidia('A40', [48], 300, ['A40 PCIe']),
  nvidia('L4', [24], 72),
  nvidia('L40', [48], 300),
  nvidia('L40S', [48], 350),
  nvidia('A100 PCIE', [40, 80], 300, ['A100', 'A100 PCIe']),
  nvidia('A100 SXM4', [40, 80], 400, ['A100', 'A100 SXM', 'A100 HGX', 'HGX A100']),
  nvidia('A800 PCIE', [40, 80], undefined, ['A800']),
  nvidia('A800 SXM4', [80], undefined, ['A800', 'A800 SXM', 'A800 HGX', 'HGX A800']),
  nvidia('H100 PCIE', [80], 350, ['H100']),
  nvidia('H100 NVL', [94], 400, ['H100']),
  nvidia('H100 SXM', [80], 700, ['H100', 'H100 SXM5', 'H100 HBM3', 'H100 HGX', 'HGX H100']),
  nvidia('GH200', [96, 144], 1000, ['GH200 Superchip', 'GH200 HBM3']),
  nvidia('H200 NVL', [141], 600),
  nvidia('H200', [141], 700, ['H200 SXM', 'H200 SXM5', 'H200 HGX', 'HGX H200']),
  nvidia('B200', [180, 192], 1000, ['B200 SXM', 'B200 HGX', 'HGX B200']),
  nvidia('B300', [288], undefined, ['B300 SXM', 'B300 SXM6 AC', 'B300 HGX', 'HGX B300']),
  nvidia('Tesla V100', [16, 32], 300, ['V100 SXM', 'V100 SXM2', 'V100 SXM3', 'V100 PCIe', 'V100 FHHL']),
  nvidia('Tesla P100', [12, 16], 300, ['P100 PCIe', 'P100 SXM2']),
  nvidia('Tesla P40', [24], 250),
  nvidia('Tesla P4', [8], 75),
  nvidia('Tesla T4', [16], 70),
  nvidia('T4G', [16], 70),
  nvidia('Tesla M60', [8], 300),
  nvidia('Tesla K80', [12], 300),
  nvidia('Titan V', [12], 250),
  nvidia('Titan Xp', [12], 250),
  amd('InstinctMI50', [16, 32], 300, ['MI50']),
  amd('MI100', [32], 300),
  amd('MI210', [64], 300),
  amd('MI250X', [128], 560),
  amd('MI300X', [192], 750, ['MI300X OAM']),
  amd('MI325X', [256], 1000, ['MI325X OAM']),
  amd('MI355X', [288], 1400, ['MI355X OAM']),
  amd('Radeon Pro V520', [8], undefined, ['V520']),
]

// Words of vendors, which do not identify a type.
const words = /\b(?:nvidia|geforce|tesla|amd|instinct|radeon|blackwell|pro(?= v\d)|gpu)\b/g
const size = /(?<![a-z0-9])(\d{1,3}) ?(?:gb|gib)\b/

/** The parts of a name: the type without vendor, spaces and signs, and the size of its memory in GB, if it has one. */
function readName(name: string): { key: string; memory: number | undefined } {
  const text = normalName(name.replaceAll('-', ' '))
    .toLowerCase()
    .replace(/\bquadro (?=rtx)/, 'q ')
  const memory = size.exec(text)?.[1]
  const key = text
    .replace(size, ' ')
    .replace(words, ' ')
    .replace(/[^a-z0-9]/g, '')
  return { key, memory: memory === undefined ? undefined : Number(memory) }
}

const typesByKey = new Map<string, GpuType[]>()
for (const type of gpuTypes)
  for (const key of new Set([type.name, ...type.aliases].map((name) => readName(name).key)))
    typesByKey.set(key, [...(typesByKey.get(key) ?? []), type])

// A driver reports a little less than the sold size. A B200 with 192 GB reports 180.
const isSize = (sold: number, told: number): boolean => told > sold * 0.9 && told < sold * 1.01

/** The size of memory of a cloud's GPU, GB as sold: the listed size, otherwise the size of its type if there is only one; 0: unknown. */
export function cloudMemoryOf(name: string, listed: number | null): number {
  const [size, other] = gpuTypes.find((type) => type.name === name)?.memory ?? []
  return soldMemory(1024 * (listed || (other === undefined ? (size ?? 0) : 0)))
}

/** The name of a GPU in list prices: its type's name, if the name identifies one type. */
export function cloudNameOf(name: string): string {
  const [type, other] = typesNamed(name)
  return type && !other ? type.name : name
}

/**
 * The GPU types that a name may mean: none for an unknown name, several for an ambiguous one. `memory` is the size of a GPU in GB, if it is
 * known from another field.
 */
export function typesNamed(name: string, memory?: number): GpuType[] {
  const told = readName(name)
  const sizes = [told.memory, memory].filter((one) => one !== undefined)
  const types = typesByKey.get(told.key) ?? []
  return types.filter((type) => sizes.every((one) => type.memory.some((sold) => isSize(sold, one))))
}
