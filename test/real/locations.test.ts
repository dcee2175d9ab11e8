import { afterAll, beforeAll, expect, it } from 'vitest'
import { capture } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  await smallMarket(server.postgres, 6)
  const place = 'UPDATE machines SET geolocation = $2, latitude = $3, longitude = $4 WHERE id = ANY ($1)'
  await server.postgres.query(place, [[1, 2, 4], 'Falun, Dalarna, SE', 60.60354, 15.62597])
  await server.postgres.query(place, [[3], 'Texas, US', null, null])
})
afterAll(() => server?.close())

const ask = async (key?: string) => {
  const { status, body } = await server.get('/api/v0/metrics/gpu/locations/', key)
  return { status, body: body as { needs_machine: boolean; locations: Record<string, unknown>[] } }
}

it('the answer is empty before the first snapshot', async () => {
  expect((await ask()).body).toEqual({ success: true, needs_machine: false, locations: [] })
})

it('the answer has one row for each place, GPU name and state, and no place of rented GPUs', async () => {
  await capture(server.postgres, 1_750_000_200)
  await loadAll(server)
  const { locations } = (await ask()).body
  const falun = { city: 'Falun, Dalarna', country_code: 'SE', latitude: 60.6035, longitude: 15.626 }
  const secure = { verified: false, datacenter: true }
  const community = { verified: false, datacenter: false }
  const nowhere = { city: '', country_code: '', latitude: null, longitude: null }
  // Machine 1 is an RTX 3090 without rentals; 2 an H100 SXM, half rented; 3 an RTX 4090; 4 an RTX 3090 that is rented as a whole.
  const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
  expect(sorted(locations)).toEqual(
    sorted([
      { gpu_name: 'RTX 3090', ...falun, num_gpus: 4, rented: false, ...secure },
      { gpu_name: 'H100 SXM', ...nowhere, num_gpus: 2, rented: true, ...community },
      { gpu_name: 'H100 SXM', ...falun, num_gpus: 2, rented: false, ...community },
      {
        gpu_name: 'RTX 4090',
        city: 'Texas',
        country_code: 'US',
        latitude: null,
        longitude: null,
        num_gpus: 4,
        rented: false,
        verified: true,
        datacenter: true,
      },
      { gpu_name: 'RTX 3090', ...nowhere, num_gpus: 4, rented: true, ...community },
      { gpu_name: 'H100 SXM', ...nowhere, num_gpus: 4, rented: false, ...secure },
      {
        gpu_name: 'RTX 4090',
        ...nowhere,
        num_gpus: 2,
        rented: true,
        verified: true,
        datacenter: false,
      },
      {
        gpu_name: 'RTX 4090',
        ...nowhere,
        num_gpus: 2,
        rented: false,
        verified: true,
        datacenter: false,
      },
    ]),
  )
  const sizes = locations.map(({ num_gpus }) => Number(num_gpus))
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
})

it('the endpoint is for hosts with machines, and for admins', async () => {
  const { key: host } = await createKeyFor(server.postgres, { role: 'host' })
  expect((await ask(host)).body).toEqual({ success: true, needs_machine: true, locations: [] })
  const { key: renter } = await createKeyFor(server.postgres, { role: 'user' })
  expect((await ask(renter)).status).toBe(403)
})
