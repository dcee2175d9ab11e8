import { expect, it, vi } from 'vitest'
import { type Files, simulate } from '../all/fire/simulation/scenario.ts'

const { files, pause } = vi.hoisted(() => ({
  files: new Map<string, unknown>() as unknown as Files,
  pause: () => new Promise((resolve) => setImmediate(resolve)),
}))

// The files of imports are in memory, and a pause takes no time.
vi.mock('../../import/records.ts', () => ({
  sizeOf: async () => 0,
  async *readRecords(name: string, _: unknown, onChunk: (chunk: Buffer) => void) {
    onChunk(Buffer.from(name))
    yield (files.get(name) ?? []).map((fields, line) => ({ line, fields }))
  },
}))
vi.mock('node:timers/promises', async (original) => ({ ...(await original<object>()), setTimeout: pause }))

it.each([13, 292, 40_026, 1_004_117, 2_003_999])(
  'every slot is kept once in the simulated world of seed %i, whatever fails',
  async (seed) => {
    files.clear()
    const { slots } = await simulate(seed, 40, files)
    expect(slots).toBeGreaterThanOrEqual(40)
  },
)
