// Prints a year of prices, a line a day. Build the client first (npx tsc -p client), then:
// RACKRATE_KEY=… node client/dist/example.js https://api.example.com/ 'RTX 4090'
import { createClient } from './client.ts'

const [baseUrl = 'http://127.0.0.1:8080/', gpu = 'RTX 4090'] = process.argv.slice(2)
const client = createClient({ baseUrl, key: process.env.RACKRATE_KEY ?? '' })

const day = 86_400
const now = Math.floor(Date.now() / 1000 / day) * day
for (let start = now - 365 * day; start < now; start += 30 * day) {
  const { data, error } = await client.GET('/api/v0/metrics/gpu/history', {
    params: {
      query: { gpu_name: gpu, verified: 'all', start, end: Math.min(now, start + 30 * day), step: day },
    },
  })
  if (error) throw new Error(error.msg)
  const { pricing } = data.gpus[gpu] ?? {}
  for (const [index, time] of pricing?.timestamps.entries() ?? [])
    console.log(
      new Date(time * 1000).toISOString().slice(0, 10),
      pricing?.avail_median[index] ?? 'none available',
    )
}
