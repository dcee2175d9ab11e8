import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from 'playwright-core'

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

export interface Opened {
  url: string
  /** The API key that the page uses. */
  key: string
  /** A selector that appears with the first figures. */
  shows: string
  /** Scrolls through the page afterwards. */
  scrolls?: boolean
}

export interface PageTiming {
  /** Sum of all layout shifts, which is at least the CLS. */
  shift: number
  /** Milliseconds from the start of the navigation to the first request, to its last answer, and to the first figures. */
  asked: number
  answered: number
  first: number
  /** Long tasks, in milliseconds. */
  tasks: number[]
  /** Addresses of the scripts. */
  scripts: string[]
}

/**
 * Opens a page in a new browser, with an empty cache, and observes it from another window of the same origin. No debugger is attached
 * meanwhile: it would double the time to the first figures.
 */
export async function timePage(opened: Opened): Promise<PageTiming> {
  if (!program) throw new Error('there is no Chromium: apt-get install chromium')
  const profile = mkdtempSync(join(tmpdir(), 'rackrate-browser-'))
  const args = [...flags, `--user-data-dir=${profile}`, 'about:blank']
  const running = spawn(program, args, { stdio: 'ignore', detached: true })
  const ended = once(running, 'exit')
  try {
    const debuggers = `http://127.0.0.1:${await portIn(profile)}`
    const browser = await chromium.connectOverCDP(debuggers)
    const page = browser.contexts()[0]?.pages()[0]
    if (!page) throw new Error('Chromium opened no page')
    await page.goto(new URL('/healthz', opened.url).href) // not a page of the service, whose scripts would be cached
    await page.evaluate(watch, opened)
    await browser.close() // which only leaves it
    return await titleOf(debuggers)
  } finally {
    if (running.pid) process.kill(-running.pid, 'SIGKILL') // with all its processes, which write to the profile
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--remote-debugging-port=0',
  '--disable-popup-blocking',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--screen-info={1600x1200}', // a window of 1280 × 900 fits in
]

/** The port of the browser, from the file that it writes. */
async function portIn(profile: string): Promise<string> {
  const file = join(profile, 'DevToolsActivePort')
  for (let tries = 0; tries < 300; tries += 1) {
    const [port] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (port) return port
    await wait(100)
  }
  throw new Error('Chromium did not start')
}

/** The measured values. The observing page puts them into its title, which the list of pages contains, with entities for its quotes. */
async function titleOf(debuggers: string): Promise<PageTiming> {
  for (let tries = 0; tries < 30; tries += 1) {
    await wait(2000)
    const pages = (await (await fetch(`${debuggers}/json/list`)).json()) as { title: string }[]
    const timing = pages.find(({ title }) => title.startsWith('seen '))
    if (timing) return JSON.parse(decodeURIComponent(timing.title.slice('seen '.length)))
  }
  throw new Error('the page did not show its first figures within a minute')
}

/** Runs in the browser. */
function watch({ url, key, shows, scrolls }: Opened): void {
  sessionStorage.setItem('rackrate-key', key)
  const seen: PageTiming = { shift: 0, asked: 0, answered: 0, first: 0, tasks: [], scripts: [] }

  function look(page: Page): void {
    if (!page.document.querySelector(shows)) return
    clearInterval(looking)
    seen.first = page.performance.now()
    const on = (type: string, take: (entry: Entry) => void) =>
      new page.PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
        type,
        buffered: true,
      })
    on('longtask', ({ duration }) => seen.tasks.push(Math.round(duration)))
    on('layout-shift', ({ value, hadRecentInput }) => {
      if (!hadRecentInput) seen.shift += value
    })
    // Charts below the screen are drawn when they come near it.
    for (let n = 1; scrolls && n < 20; n += 1) setTimeout(() => page.scrollTo(0, n * 300), n * 50)
    setTimeout(
      () => {
        const loaded = page.performance.getEntriesByType('resource')
        seen.scripts = loaded.map(({ name }) => name).filter((name) => name.endsWith('.js'))
        const answers = loaded.filter(
          ({ initiatorType, responseEnd }) => initiatorType === 'fetch' && responseEnd < seen.first,
        )
        seen.asked = Math.min(...answers.map(({ startTime }) => startTime))
        seen.answered = Math.max(...answers.map(({ responseEnd }) => responseEnd))
        document.title = `seen ${encodeURIComponent(JSON.stringify(seen))}`
      },
      scrolls ? 2500 : 1000, // late parts shift the layout, too
    )
  }

  let looking: ReturnType<typeof setInterval>
  // Opens the page two seconds later, when the browser has started and the debugger has ended.
  setTimeout(() => {
    const page = open(url, '_blank', 'width=1280,height=900')
    looking = setInterval(() => look(page), 4)
  }, 2000)
}

interface Entry {
  name: string
  value: number
  hadRecentInput: boolean
  duration: number
  initiatorType: string
  startTime: number
  responseEnd: number
}
interface Page {
  document: { querySelector(selector: string): unknown; title: string }
  performance: { now(): number; getEntriesByType(type: string): Entry[] }
  PerformanceObserver: new (
    take: (list: { getEntries(): Entry[] }) => void,
  ) => { observe(options: { type: string; buffered: boolean }): void }
  scrollTo(left: number, top: number): void
}
declare const document: Page['document']
declare const sessionStorage: { setItem(name: string, value: string): void }
declare function open(url: string, name: string, features: string): Page
