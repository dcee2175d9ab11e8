import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { openBarePage } from './bare-page.ts'

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

const drawn = '.charts[aria-busy=false] .u-wrap canvas'
/** Where each page is, and what it shows when its first figures are there. */
const pages = [
  { name: 'market', path: '', shows: '.market table[aria-busy=false] tbody a' },
  { name: 'charts', path: 'charts', shows: drawn },
  { name: 'machines', path: 'machines', shows: '.fleet table[aria-busy=false] tbody a' },
  { name: 'price desk', path: 'price', shows: '.offer .figures[aria-busy=false]' },
]
const everyType = { path: 'charts?gpu=all&layout=grid&range=30d', shows: drawn }

const targets = { first: 500, shift: 0.02, task: 50, script: 70_000 }

/** Runs before anything of the page does. */
function observe({ key, shows }: { key: string; shows: string }): void {
  const seen: Seen = { shift: 0, first: 0, tasks: [] }
  Object.assign(globalThis, { seen })
  sessionStorage.setItem('rackrate-key', key)
  const on = (type: string, take: (entry: Entry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  on('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) seen.shift += value
  })
  on('longtask', ({ duration }) => seen.tasks.push(duration))
  const look = () => {
    if (document.querySelector(shows)) seen.first = performance.now()
    else requestAnimationFrame(look)
  }
  look()
}

interface Seen {
  /** Sum of all layout shifts, which is at least the CLS. */
  shift: number
  /** Milliseconds from the start of the navigation to the first figures. */
  first: number
  /** Long tasks, in milliseconds. */
  tasks: number[]
}
interface Entry {
  value: number
  hadRecentInput: boolean
  duration: number
}
declare const document: { querySelector(selector: string): unknown; body: { scrollHeight: number } }
declare const sessionStorage: { setItem(name: string, value: string): void }
declare function requestAnimationFrame(work: () => void): void
declare function scrollTo(left: number, top: number): void
declare const PerformanceObserver: new (
  take: (list: { getEntries(): Entry[] }) => void,
) => { observe(options: { type: string; buffered: boolean }): void }

interface PageOptions {
  url: string
  /** Of a host. */
  key: string
  loads: number
}

/**
 * What each page takes to show its first figures, how far things move meanwhile, how long tasks are, and how large its scripts are. The first row
 * is the floor: what the browser takes on this machine for any page.
 */
export async function measurePages({ url, key, loads }: PageOptions) {
  if (!program) throw new Error('there is no Chromium: apt-get install chromium')
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  const bare = await openBarePage()
  try {
    await load(browser, { url, key, ...everyType }) // caches of the service
    const found = []
    for (const { name, ...page } of [{ name: 'a bare page', path: bare.url, shows: '#answer' }, ...pages]) {
      const seen: (Seen & { scripts: string[] })[] = []
      for (let n = 0; n < loads; n += 1) seen.push(await load(browser, { url, key, ...page }))
      found.push({
        page: name,
        'first figures, ms (median)': Math.round(medianOf(seen.map(({ first }) => first))),
        'layout shift (worst)': Number(Math.max(...seen.map(({ shift }) => shift)).toFixed(4)),
        'longest task, ms (median)': Math.round(medianOf(seen.map(({ tasks }) => Math.max(0, ...tasks)))),
        'scripts, bytes gzipped': await sizeOf(url, seen[0]?.scripts ?? []),
      })
    }
    const many = await load(browser, { url, key, ...everyType }, scrollThrough)
    const longest = Math.round(Math.max(0, ...many.tasks))
    console.table(found)
    console.log(
      `targets: first chart ${targets.first} ms, layout shift ${targets.shift}, scripts of the charts ${targets.script} bytes\n` +
        `every GPU type side by side over 30 days: ${many.tasks.length} long tasks, the longest ${longest} ms   (target: ${targets.task})`,
    )
    return { pages: found, everyType: { longTasks: many.tasks.length, longest } }
  } finally {
    bare.close()
    await browser.close()
  }
}

/** Opens a page in a browser without a cache. */
async function load(
  browser: Browser,
  { url, key, path, shows }: Omit<PageOptions, 'loads'> & { path: string; shows: string },
  act?: (page: Page) => Promise<void>,
): Promise<Seen & { scripts: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const scripts: string[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.url())
  })
  await page.addInitScript(observe, { key, shows })
  await page.goto(new URL(path, `${url}/`).href)
  await page.locator(shows).first().waitFor()
  await act?.(page)
  await page.waitForTimeout(1000) // what comes late moves things, too
  const seen: Seen = await page.evaluate('seen')
  await context.close()
  return { ...seen, scripts }
}

/** Charts below the screen are drawn when they come near it. */
async function scrollThrough(page: Page): Promise<void> {
  for (let top = 0; top < 6000; top += 300) {
    await page.evaluate((to) => scrollTo(0, to), top)
    await page.waitForTimeout(50)
  }
}

async function sizeOf(url: string, scripts: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    scripts.map(async (path) => {
      const script = await fetch(new URL(path, url), { headers: { 'accept-encoding': 'gzip' } })
      await script.body?.cancel()
      return Number(script.headers.get('content-length'))
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
