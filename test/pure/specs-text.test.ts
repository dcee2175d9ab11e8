import { describe, expect, it } from 'vitest'
import { type GivenSpecs, specsText } from '../../contract/specs-text.ts'

const whole: GivenSpecs = {
  inet_up: 812.44,
  inet_down: '903.5',
  disk_bw: 3542.7,
  disk_space: 1832.6,
  cpu_name: ' Xeon® E5-2690 v4 ',
  cpu_cores_effective: 56,
  cpu_ram: 257_855,
  pcie_bw: 12.34,
  gpu_mem_bw: 1792.2,
  driver_version: '535.86.05',
  cuda_max_good: 12.8,
  direct_port_count: 0,
  static_ip: true,
  score: 341.27,
}

function textOf(given: GivenSpecs) {
  const reasons: string[] = []
  const text = specsText(given, (reason) => reasons.push(reason))
  return { values: text === '' ? null : JSON.parse(text), reasons }
}

describe('the specs of a machine', () => {
  it('are stored with three significant digits', () => {
    expect(textOf(whole)).toEqual({
      values: [
        812,
        904,
        3540,
        1830,
        'Xeon® E5-2690 v4',
        56,
        258_000,
        12.3,
        1790,
        '535.86.05',
        12.8,
        0,
        true,
        341,
      ],
      reasons: [],
    })
  })

  it('are empty when none is given, and a figure of 0 was not measured', () => {
    expect(textOf({})).toEqual({ values: null, reasons: [] })
    expect(textOf({ inet_up: null, cpu_name: '', score: 0, static_ip: undefined })).toEqual({
      values: null,
      reasons: [],
    })
  })

  it.each([
    ['inet_up', 1e9],
    ['inet_up', -1],
    ['inet_down', Number.NaN],
    ['disk_bw', Number.POSITIVE_INFINITY],
    ['disk_space', '1e99'],
    ['cpu_name', 'x'.repeat(10_000)],
    ['cpu_name', 'a"b'],
    ['cpu_name', 'a\u0000b'],
    ['cpu_ram', 'much'],
    ['driver_version', '; DROP TABLE'],
    ['cuda_max_good', 101],
    ['direct_port_count', 70_000],
    ['direct_port_count', 1.5],
    ['static_ip', 'maybe'],
    ['score', 1e-9],
  ])('%s of %j is not known, and the reason is given', (name, value) => {
    const { values, reasons } = textOf({ ...whole, [name]: value })
    expect(values.filter((found: unknown) => found === null)).toHaveLength(1)
    expect(reasons).toEqual([`${name} is not a possible value`])
  })
})
