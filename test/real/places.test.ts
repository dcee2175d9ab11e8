import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PlacesAnswer } from '../../contract/places.ts'
import { regionOf, regions } from '../../contract/regions.ts'
import { capture } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { execute } from '../../platform/stores/clickhouse.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  await smallMarket(server.postgres, 36)
  const { postgres } = server
  await postgres.query(`INSERT INTO accounts (id, name, is_host) VALUES (1003, 'b', true), (1004, 'c', true)`)
  await postgres.query(
    `UPDATE machines SET account_id = (ARRAY[1001, 1003, 1004])[1 + id / 3 % 3], verification = 'verified'`,
  )
  // RTX 4090: 12 machines, all ids divisible by 3. Sweden has 7 of them, Germany 4, one has no place.
  const stand = 'UPDATE machines SET geolocation = $2 WHERE id = ANY ($1)'
  await postgres.query(stand, [[3, 6, 9, 12, 15, 18, 21], 'Falun, SE'])
  await postgres.query(stand, [[24, 27, 30, 33], 'Germany, DE'])
})
afterAll(() => server?.close())

const ask = async (query: string, key?: string) =>
  (await server.get(`/api/v0/metrics/gpu/places?${query}`, key)).body as PlacesAnswer

it('the answer is empty before the first snapshot', async () => {
  expect(await ask('gpu_name=RTX_4090')).toEqual({
    success: true,
    needs_machine: false,
    slot: null,
    reason: null,
    occupancy: null,
    places: [],
  })
})

it('places with few machines are merged, and others have their occupancy and prices', async () => {
  await capture(server.postgres, 1_750_000_200)
  await loadAll(server)
  const { slot, reason, occupancy, places } = await ask('gpu_name=rtx_4090')
  expect([slot, reason]).toEqual([1_750_000_200, null])
  // Even ids are rented: all 4 GPUs where the id is divisible by 4, otherwise 2 of them.
  const rented = (ids: number[]) => ids.reduce((sum, id) => sum + (id % 2 ? 0 : id % 4 ? 2 : 4), 0)
  const sweden = [3, 6, 9, 12, 15, 18, 21]
  const others = [24, 27, 30, 33, 36]
  const all = [...sweden, ...others]
  const usual_occupancy = rented(all) / (4 * all.length)
  expect(occupancy).toBeCloseTo(usual_occupancy)
  const shown = (place: string, ids: number[]) => ({
    place,
    machines: ids.length,
    gpus: 4 * ids.length,
    available_gpus: 4 * ids.length - rented(ids),
    gpus_before: null,
    occupancy: expect.closeTo(rented(ids) / (4 * ids.length)),
    usual_occupancy: expect.closeTo(usual_occupancy),
    rented_median: null,
    avail_median: expect.any(Number),
  })
  expect(places).toEqual([shown('SE', sweden), shown('', others)])
})

it('prices of mixed GPU types are left out, and a region has the machines of its countries', async () => {
  await server.postgres.query(`UPDATE machines SET geolocation = 'Oslo, NO' WHERE id % 3 = 1`)
  await capture(server.postgres, 1_750_000_500)
  await loadAll(server)
  const { places } = await ask('by=country')
  expect(places.map(({ place, gpus, avail_median }) => [place, gpus, avail_median])).toEqual([
    ['', 68, null],
    ['NO', 48, null],
    ['SE', 28, null],
  ])
  const { places: inRegions } = await ask('by=region')
  expect(inRegions.map(({ place, gpus }) => [place, gpus])).toEqual([
    ['Europe', 76],
    ['', 68],
  ])
})

it('the occupancy includes the seven whole days before the newest snapshot', async () => {
  const days = [
    ['2025-06-14', 3, 400, 0],
    ['2025-06-08', 6, 0, 100],
    ['2025-06-07', 9, 900, 900],
    ['2025-06-15', 12, 900, 900],
  ].map(([day, machine, free, rented]) => `('${day}', 'RTX 4090', ${machine}, 4, ${free}, ${rented}, 1)`)
  const columns = 'day, gpu_name, machine_id, num_gpus, avail_gpus, rented_gpus, revision'
  await execute(server.clickhouse, `INSERT INTO machine_days (${columns}) VALUES ${days.join()}`)
  await capture(server.postgres, 1_750_000_800)
  await loadAll(server)
  const { places, occupancy } = await ask('gpu_name=RTX_4090')
  const sweden = places.find(({ place }) => place === 'SE')
  expect(sweden?.occupancy).toBeCloseTo((8 + 100) / (28 + 500))
  expect(occupancy).toBeCloseTo((16 + 100) / (48 + 500))
})

it('the market of a source shows every country', async () => {
  await server.postgres.query(`INSERT INTO collector (source) VALUES ('exporter=https://example.com')`)
  const { places } = await ask('gpu_name=RTX_4090')
  expect(places.map(({ place, gpus }) => [place, gpus])).toEqual([
    ['SE', 28],
    ['DE', 16],
    ['', 4],
  ])
  await server.postgres.query('DELETE FROM collector')
})

it('the endpoint is for hosts with machines, and refuses other places', async () => {
  const { key: host } = await createKeyFor(server.postgres, { role: 'host' })
  expect(await ask('', host)).toMatchObject({ needs_machine: true, places: [] })
  const { key: renter } = await createKeyFor(server.postgres, { role: 'user' })
  expect((await server.get('/api/v0/metrics/gpu/places', renter)).status).toBe(403)
  for (const query of ['by=city', 'gpu_name=a%00', 'gpu_name='])
    expect(await server.get(`/api/v0/metrics/gpu/places?${query}`), query).toMatchObject({ status: 400 })
})

it('each country is in one region', () => {
  expect(regionOf.get('DE')).toBe('Europe')
  expect(new Set(regionOf.values())).toEqual(new Set(regions))
  for (const code of regionOf.keys()) expect(code).toMatch(/^[A-Z]{2}$/)
})
