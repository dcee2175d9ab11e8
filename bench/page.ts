import { openBarePage } from './bare-page.ts'
import { type PageTiming, timePage } from './stopwatch.ts'

const drawn = '.charts[aria-busy=false] .u-wrap canvas'
interface MeasuredPage {
  name: string
  path: string
  /** A selector that appears with the first figures, or with the form of a page without figures. */
  shows: string
  isForAdmins?: boolean
}
const pages: MeasuredPage[] = [
  { name: 'market', path: '', shows: '.market table[aria-busy=false] tbody a' },
  { name: 'charts', path: 'charts', shows: drawn },
  { name: 'machines', path: 'machines', shows: '.fleet table[aria-busy=false] tbody a' },
  { name: 'price desk', path: 'price', shows: '.offer .figures[aria-busy=false]' },
  { name: 'alerts', path: 'alerts', shows: '.alerts form' },
  { name: 'API reference', path: 'docs', shows: '.content[aria-busy=false] h1' },
  // The editor's elements are in a shadow tree. The schema comes after the editor.
  { name: 'SQL console', path: 'sql', shows: '.sql details.table', isForAdmins: true },
  { name: 'dashboards', path: 'dashboards', shows: '.dashboards form', isForAdmins: true },
]
const everyType = { path: 'charts?gpu=all&layout=grid&range=30d', shows: drawn, scrolls: true }

const targets = { first: 500, shift: 0.02, task: 50, script: 70_000 }

interface PageOptions {
  url: string
  keys: { host: string; admin: string }
  loads: number
}

/**
 * Prints for each page the time to its first figures, layout shifts, the longest task and the size of its scripts. The first row is the
 * floor: a bare page in the same browser.
 */
export async function measurePages({ url, keys, loads }: PageOptions) {
  const bare = await openBarePage()
  const addressOf = (path: string) => new URL(path, `${url}/`).href
  try {
    await timePage({ key: keys.host, ...everyType, url: addressOf(everyType.path) }) // fills the caches of the service
    const found = []
    const floor: MeasuredPage = { name: 'a bare page', path: bare.url, shows: '#answer' }
    for (const { name, path, shows, isForAdmins } of [floor, ...pages]) {
      const key = isForAdmins ? keys.admin : keys.host
      const seen: PageTiming[] = []
      for (let n = 0; n < loads; n += 1) seen.push(await timePage({ key, shows, url: addressOf(path) }))
      found.push({
        page: name,
        'asks, ms': Math.round(medianOf(seen.map(({ asked }) => asked))),
        'answered, ms': Math.round(medianOf(seen.map(({ answered }) => answered))),
        'first figures, ms (median)': Math.round(medianOf(seen.map(({ first }) => first))),
        'layout shift (worst)': Number(Math.max(...seen.map(({ shift }) => shift)).toFixed(4)),
        'longest task, ms (median)': medianOf(seen.map(({ tasks }) => Math.max(0, ...tasks))),
        'scripts, bytes gzipped': await sizeOf(seen[0]?.scripts ?? []),
      })
    }
    const many: PageTiming[] = []
    for (let n = 0; n < loads; n += 1)
      many.push(await timePage({ key: keys.host, ...everyType, url: addressOf(everyType.path) }))
    const longest = many.map(({ tasks }) => Math.max(0, ...tasks))
    const everyTypeLongest = { median: medianOf(longest), worst: Math.max(...longest) }
    console.table(found)
    console.log(
      `targets: first chart ${targets.first} ms, layout shift ${targets.shift}, scripts of the charts ${targets.script} bytes\n` +
        `every GPU type side by side over 30 days, longest task: median ${everyTypeLongest.median} ms, worst ${everyTypeLongest.worst}   (target: ${targets.task}; 0: none of 50 ms)`,
    )
    return { pages: found, everyTypeLongest }
  } finally {
    bare.close()
  }
}

async function sizeOf(scripts: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    scripts.map(async (address) => {
      const script = await fetch(address, { headers: { 'accept-encoding': 'gzip' } })
      await script.body?.cancel()
      return Number(script.headers.get('content-length'))
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
