import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { capture, currentSlot } from '../ingest/capture.ts'
import { loadAll } from '../ingest/load.ts'
import { publishDays } from '../ingest/publish-days.ts'
import { seedMarket } from '../simulate/create-market.ts'
import { fillHistory } from '../simulate/fill-history.ts'
import { createKeyFor } from '../src/companion/keys/key-for-role.ts'
import { movedBy } from './clock.ts'
import { preparedDatabases, type TestDatabases } from './database.ts'
import { keyOfDemoHost } from './market.ts'
import { moveDate } from './move-date.mjs'
import { needs } from './needs.ts'
import { startServer, type TestServer, type TestServerOptions } from './server.ts'

// The headless shell is used: a visit of the charts takes 1.5 s of CPU with it, and 4.3 s with the whole browser.
const program = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync)

export const hasBrowser = needs(
  program !== undefined,
  'no Chromium is installed, so the page is not tested (apt-get install chromium-headless-shell)',
)

/** The folder of screenshots if TEST_SCREENSHOTS is set. Off by default, since a screenshot takes half a second of CPU. */
const screenshots = new URL('../test-artefacts/', import.meta.url).pathname

const interval = 3600
const population = { seed: 5, size: 400 }

/** The browser for all files of a worker. It ends with the process of the worker. */
let browser: Promise<Browser> | undefined
export function openBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: program as string, args: ['--no-sandbox'] })
  return browser
}

export interface Web extends TestServer {
  /** The URL of the page. */
  url: string
  hostKey: string
  /**
   * A page in a context of its own, which ends with the test, signed in when a key is given. An error on the page fails the file in `close`.
   */
  visit(path: string, options?: VisitOptions): Promise<Page>
  /** A page that the host has signed in to. */
  visitAsHost(path?: string, options?: VisitOptions): Promise<Page>
  /** Stores a screenshot of the page if TEST_SCREENSHOTS is set. */
  look(page: Page, name: string): Promise<void>
}

export interface VisitOptions extends BrowserContextOptions {
  key?: string | undefined
}

let shared: Promise<Web> | undefined

/**
 * The same as openWeb() for all files of a worker that only look at the market. It ends with the process of the worker. Each file has its own admin
 * account, so that no file sees saved queries or runs of another.
 */
export async function openSharedWeb(): Promise<Web> {
  shared ??= openWeb({ isShared: true })
  const web = await shared
  const { key: adminKey } = await createKeyFor(web.postgres, { role: 'admin' })
  return { ...web, adminKey, get: (path, key = adminKey) => web.send('GET', path, key) }
}

/** The whole service on a port, a browser, and (unless `empty`) a simulated market of 400 machines over 31 days in slots of an hour. */
export async function openWeb({
  empty = false,
  isShared = false,
  ...options
}: TestServerOptions & { empty?: boolean; isShared?: boolean } = {}): Promise<Web> {
  const simulated = empty ? undefined : await preparedDatabases('simulated', simulateMarket, isShared)
  const server = await startServer({
    snapshotInterval: interval,
    ...options,
    ...(simulated && { databases: simulated }),
  })
  const hostKey = empty ? '' : await keyOfDemoHost(server.postgres)
  const url = `${await server.app.listen({ port: 0, host: '127.0.0.1' })}/`
  const browser = await openBrowser()
  mkdirSync(screenshots, { recursive: true })
  const troubles: string[] = []
  const visit: Web['visit'] = async (path, { key, ...context } = {}) => {
    const opened = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      timezoneId: 'UTC',
      ...context,
    })
    onTestFinished(() => opened.close())
    opened.setDefaultTimeout(120_000) // as expect.poll: a busy machine takes its time
    if (movedBy !== 0) await opened.addInitScript(moveDate, movedBy)
    const page = await opened.newPage()
    page.on('pageerror', (error) => troubles.push(`${path}: ${error.message}`))
    page.on('console', (message) => {
      // The browser reports refusals of its Content-Security-Policy there. Answers such as 401 are caused by tests on purpose.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        troubles.push(`${path}: ${message.text()}`)
    })
    if (key) await page.addInitScript((value) => sessionStorage.setItem('rackrate-key', value), key)
    await page.goto(new URL(path, url).href)
    return page
  }
  return {
    ...server,
    url,
    hostKey,
    visit,
    visitAsHost: (path = '', options = {}) => visit(path, { key: hostKey, ...options }),
    async look(page, name) {
      if (process.env.TEST_SCREENSHOTS)
        await page.screenshot({ path: `${screenshots}${name}.png`, fullPage: true })
    },
    async close() {
      if (!isShared) await server.close()
      expect(troubles.splice(0)).toEqual([])
    },
  }
}

async function simulateMarket(databases: TestDatabases): Promise<void> {
  const { postgres } = databases
  await postgres.query('UPDATE slot_interval SET seconds = $1', [interval])
  await seedMarket(postgres, { ...population, days: 31, interval })
  await capture(postgres, await currentSlot(postgres, interval))
  await loadAll(databases)
  await fillHistory(databases, { signal: new AbortController().signal })
  await publishDays(databases)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The violations of WCAG 2.2 A and AA that axe-core finds. The list should be empty. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join('; ')}`,
    )
  })
}

/** Sums the layout shifts of every page that is opened there from now on. */
export const watchShift = (page: Page) =>
  page.addInitScript(`globalThis.shift = 0
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shift += value })
      .observe({ type: 'layout-shift', buffered: true })`)

/** The sum of the layout shifts since the page was opened, including the shifts of the frame that is being drawn. It is at least the CLS. */
export const shiftOf = (page: Page) =>
  page.evaluate<number>(`new Promise((tell) =>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => tell(shift)))))`)

interface Axe {
  run(
    context: unknown,
    options: unknown,
  ): Promise<{ violations: { id: string; help: string; nodes: { target: string[] }[] }[] }>
}
declare const document: unknown
declare const sessionStorage: { setItem(name: string, value: string): void }
