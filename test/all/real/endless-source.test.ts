import { expect, it } from 'vitest'
import { systemClock } from '../../../cli/system-clock.ts'
import { openSource } from '../../../collect/open-source.ts'
import { openStandIn } from '../../stand-in.ts'

it.each(['exporter', 'vast'])(
  'an answer of %s that never ends is cut, and its connection closed',
  async (kind) => {
    const standIn = await openStandIn()
    let isOpen = true
    standIn.fault = (response) => {
      response.on('close', () => {
        isOpen = false
      })
      const piece = `${JSON.stringify({ filler: 'x'.repeat(100_000) })},`.repeat(10)
      const write = () => {
        while (isOpen && response.write(piece));
        if (isOpen) response.once('drain', write)
      }
      response.write('{"offers": [')
      write()
    }
    const { signal } = new AbortController()
    const request = { slot: 0, interval: 300, validators: undefined, signal, clock: systemClock }
    const answer = openSource(`${kind}=${standIn.url}`, {}).fetchMarket(request)
    await expect(answer).rejects.toThrow('The answer is larger than 256 MB.')
    await expect.poll(() => isOpen).toBe(false)
    standIn.close()
  },
)
