import { expect, it } from 'vitest'
import { day } from '../../contract/durations.ts'
import { listPrice } from '../../ingest/list-prices.ts'
import { simulatedCatalog } from '../../simulate/clouds.ts'
import { catalog as gpuTypes } from '../../simulate/gpu-types.ts'

const at = 1_795_000_200
const catalog = simulatedCatalog(1)
const offersAt = async (time: number) => {
  const answers = await Promise.all(
    catalog.providers.map(async (provider) => {
      const { offers } = await catalog.read(provider, { clock: { now: () => time } })
      return offers.map((offer) => listPrice(provider, offer))
    }),
  )
  return answers.flat()
}

it('each offer of a simulated cloud is of a known GPU type that the market has', async () => {
  const names = new Set(gpuTypes.map(({ name }) => name))
  const offers = await offersAt(at)
  expect(offers.length).toBeGreaterThan(100)
  expect(offers.filter(({ gpu_name }) => !names.has(gpu_name))).toEqual([])
})

it('spot is cheaper than on demand, and most clouds cost more than the market', async () => {
  const offers = await offersAt(at)
  const [spot, demand] = [true, false].map((kind) => offers.filter((one) => one.spot === kind))
  const mean = (some: typeof offers = []) =>
    some.reduce((sum, { price }) => sum + (price ?? 0), 0) / some.length
  expect(mean(spot)).toBeLessThan(mean(demand))
  const isDearer = ({ gpu_name, price }: (typeof offers)[number]) =>
    (price ?? 0) > (gpuTypes.find(({ name }) => name === gpu_name)?.price ?? 0)
  expect((demand ?? []).filter(isDearer).length / (demand ?? []).length).toBeGreaterThan(0.9)
})

it('prices are the same within a day, move by days at spot, and now and then on demand', async () => {
  const [now, soon, later] = [await offersAt(at), await offersAt(at + 60), await offersAt(at + 20 * day)]
  expect(soon).toEqual(now)
  const moved = (spot: boolean) => {
    const changed = now.filter((one, index) => one.spot === spot && one.price !== later[index]?.price)
    return changed.length / now.filter((one) => one.spot === spot).length
  }
  expect(moved(true)).toBeGreaterThan(0.9)
  expect(moved(false)).toBeGreaterThan(0.1)
  expect(moved(false)).toBeLessThan(0.9)
})
