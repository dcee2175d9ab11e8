import { describe, expect, it } from 'vitest'
import { sameName } from '../../contract/gpu-names.ts'
import { gpuTypes, typesNamed } from '../../contract/gpu-types.ts'
import { canonicalName } from '../../ingest/listed-gpu.ts'

const named = (name: string, memory?: number) => typesNamed(name, memory).map((type) => type.name)

describe('names of GPUs', () => {
  it('every type is found by its own name and by each of its aliases', () => {
    for (const type of gpuTypes) {
      expect(named(type.name)).toEqual([type.name])
      for (const alias of type.aliases) expect(named(alias)).toContain(type.name)
    }
    expect(
      gpuTypes.filter((one) => gpuTypes.some((two) => one !== two && sameName(one.name, two.name))),
    ).toEqual([])
  })

  it.each([
    ...(['A100-80GB-SXM4', 'A100 SXM4', 'NVIDIA A100-SXM4-80GB', 'a100_sxm4', 'A100-80GB-SXM'] as const).map(
      (name) => [name, 'A100 SXM4'] as const,
    ),
    ['NVIDIA A100 80GB PCIe', 'A100 PCIE'] as const,
    ['NVIDIA H100 80GB HBM3', 'H100 SXM'] as const,
    ['H100NVL', 'H100 NVL'] as const,
    ['NVIDIA H200', 'H200'] as const,
    ['RTX4090', 'RTX 4090'] as const,
    ['NVIDIA GeForce RTX 4080 SUPER', 'RTX 4080S'] as const,
    ['RTXA6000', 'RTX A6000'] as const,
    ['RTX6000-Ada', 'RTX 6000Ada'] as const,
    ['Tesla V100-SXM2-16GB', 'Tesla V100'] as const,
    ['V100-32GB', 'Tesla V100'] as const,
    ['T4', 'Tesla T4'] as const,
    ['A10G', 'A10G'] as const,
    ['NVIDIA RTX PRO 6000 Blackwell Server Edition', 'RTX PRO 6000 S'] as const,
    ['AMD Instinct MI300X OAM', 'MI300X'] as const,
    ['Quadro RTX 6000', 'Q RTX 6000'] as const,
    ['V100 16GB SXM', 'Tesla V100'] as const,
    ['NVIDIA H100 80GB HGX', 'H100 SXM'] as const,
    ['hgx-h100', 'H100 SXM'] as const,
    ['NVIDIA HGX B200', 'B200'] as const,
    ['HGX A100 80GB', 'A100 SXM4'] as const,
    ['H200 HGX', 'H200'] as const,
    ['A800 SXM', 'A800 SXM4'] as const,
    ['NVIDIA A800 40GB', 'A800 PCIE'] as const,
    ['RTX PRO 6000 Blackwell 96GB Workstation', 'RTX PRO 6000 WS'] as const,
    ['RTX PRO 6000 BSE', 'RTX PRO 6000 S'] as const,
  ])('%s is %s', (name, type) => {
    expect(named(name)).toEqual([type])
  })

  it.each(['', 'GPU', 'A1000000', 'Virtex UltraScale (VU9P)', 'H100 96GB', 'RTX 4090 48GB', 'constructor'])(
    '%s is not guessed',
    (name) => {
      expect(named(name)).toEqual([])
    },
  )

  it.each([
    ['A800', 2],
    ['A100 NVLink', 0],
    ['A100X', 0],
    ['H100 MIG 1g.10gb', 0],
    ['RTX 3060 12GB Mobile', 0],
    ['RTX PRO 6000', 3],
  ])('%s may be one of %i types', (name, count) => {
    expect(named(name)).toHaveLength(count)
  })

  it('a size of memory that a type does not have is another type', () => {
    expect(named('RTX 6000')).toEqual(['RTX 6000Ada', 'Q RTX 6000'])
    expect(named('RTX 6000', 24)).toEqual(['Q RTX 6000'])
    expect(named('RTX6000', 48)).toEqual(['RTX 6000Ada'])
    expect(named('T4', 15)).toEqual(['Tesla T4'])
    expect(named('A10', 4)).toEqual([])
  })

  it('a form that the name leaves out is taken from the instance, or from nothing', () => {
    const gpu = (provider: string, name: string, instance: string, memory?: number) =>
      canonicalName({ provider, name, instance, memory })
    expect(gpu('aws', 'A100', 'p4d.24xlarge', 40)).toBe('A100 SXM4')
    expect(gpu('aws', 'H100', 'p5.48xlarge', 80)).toBe('H100 SXM')
    expect(gpu('azure', 'A100', 'Standard_NC24ads_A100_v4', 80)).toBe('A100 PCIE')
    expect(gpu('azure', 'H100', 'Standard_NC40ads_H100_v5', 94)).toBe('H100 NVL')
    expect(gpu('runpod', 'A100', 'NVIDIA A100 80GB PCIe', 80)).toBe('A100 PCIE')
    expect(gpu('runpod', 'H100', 'NVIDIA H100 80GB HBM3', 80)).toBe('H100 SXM')
    expect(gpu('lambdalabs', 'H100', 'gpu_1x_h100_pcie', 80)).toBe('H100 PCIE')
    expect(gpu('nebius', 'H100', 'gpu-h100-sxm 1gpu-16vcpu-200gb', 80)).toBe('H100 SXM')
    expect(gpu('runpod', 'A100-80GB', '1x_A100-80GB_SECURE')).toBeUndefined()
    expect(gpu('elsewhere', 'H100', 'p5.48xlarge', 80)).toBeUndefined()
    expect(gpu('aws', 'H100', 'p4d.24xlarge', 80)).toBeUndefined()
  })
})
