// Takes the pictures of the documentation: docs/pictures/*.png, with the installed Chromium.
// npm run pictures                             starts a service with its own simulated market, and ends it
// npm run pictures -- today market             some pictures
// node tools/screenshots.mjs URL HOST ADMIN    uses a running service, with keys of a host and of an admin; names may follow
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'

const folder = new URL('../docs/pictures/', import.meta.url).pathname
const program = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium-headless-shell',
].find(existsSync)
if (!program) throw new Error('there is no Chromium: apt-get install chromium')

const desktop = { viewport: { width: 1440, height: 1000 } }
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const charts = 'charts?gpu=RTX+4090%2CRTX+5090%2CH100+SXM&range=all&zone=utc'
const query = `SELECT
  toStartOfInterval(slot, INTERVAL 6 HOUR) AS time,
  gpu_name,
  toFloat64(quantileExactWeighted(0.5)(price, gpus)) AS median
FROM observations
WHERE NOT rented AND gpu_name IN ('RTX 3090', 'RTX 4090', 'RTX 5090') AND slot > now() - INTERVAL 14 DAY
GROUP BY time, gpu_name
ORDER BY time, gpu_name`
const panels = [
  {
    name: 'Median of available GPUs',
    query,
    chart: { kind: 'line', x: 'time', y: ['median'], by: 'gpu_name' },
  },
  {
    name: 'GPUs on the market',
    query: `SELECT gpu_name, sum(gpus) AS all_gpus FROM observations
WHERE slot = (SELECT max(slot) FROM observations) GROUP BY gpu_name ORDER BY all_gpus DESC LIMIT 8`,
    chart: { kind: 'bars', x: 'gpu_name', y: ['all_gpus'] },
  },
]
const drawn = '.charts:not([aria-busy=true]) canvas'
const listed = '.market table[aria-busy=false] tbody a'
/** The address of the price desk: of a machine with a recommended price, if there is one. */
const desk = ({ machine }) => (machine === undefined ? 'price' : `price?machine=${machine}`)

const pictures = [
  { name: 'today', path: '', shows: '.to-do li, .to-do .pad', look: desktop },
  { name: 'market', path: 'market', shows: listed, look: desktop },
  { name: 'market-dark', path: 'market', shows: listed, look: { ...desktop, colorScheme: 'dark' } },
  { name: 'market-phone', path: 'market', shows: listed, look: phone },
  { name: 'where', path: 'where?gpu=all', shows: '.map circle', look: desktop },
  {
    name: 'structure',
    path: 'where?gpu=RTX+4090',
    shows: '.structure table tbody tr',
    look: desktop,
    act: (page) => page.locator('.structure').evaluate((part) => part.scrollIntoView()),
  },
  { name: 'build', path: 'build', shows: '.ranks tbody tr', look: desktop },
  { name: 'forecast', path: 'charts?gpu=H100+SXM&tab=forecast&zone=utc', shows: drawn, look: desktop },
  { name: 'charts', path: charts, shows: drawn, look: desktop },
  { name: 'charts-dark', path: charts, shows: drawn, look: { ...desktop, colorScheme: 'dark' } },
  { name: 'charts-phone', path: charts, shows: drawn, look: phone },
  { name: 'machines', path: 'machines', shows: '.price-scale', look: desktop },
  { name: 'machines-phone', path: 'machines', shows: '.fleet tbody tr', look: phone },
  { name: 'price-desk', pathOf: desk, shows: drawn, look: desktop },
  { name: 'price-desk-dark', pathOf: desk, shows: drawn, look: { ...desktop, colorScheme: 'dark' } },
  // The charts are too far below the screen to be drawn.
  { name: 'price-desk-phone', pathOf: desk, shows: '.figures[aria-busy=false]', look: phone },
  {
    name: 'sql',
    path: `sql#q=${encodeURIComponent(query)}`,
    shows: '.sql details.table',
    look: desktop,
    isForAdmins: true,
    act: runQuery,
  },
  { name: 'autopilot', path: 'autopilot', shows: 'main .good', look: desktop },
  { name: 'costs', path: 'costs', shows: '.cost-rows tbody tr', look: desktop },
  { name: 'history', path: 'history', shows: '.decisions tbody tr, .no-data', look: desktop },
  { name: 'alerts', path: 'alerts', shows: '.preview canvas', look: desktop },
  { name: 'api', path: 'docs?operation=getGpuHistory', shows: '.try', look: desktop },
  { name: 'api-phone', path: 'docs?operation=getGpuHistory', shows: '.try', look: phone },
  {
    name: 'dashboard',
    pathOf: ({ board }) => `dashboards?id=${board}`,
    shows: '.board-panel canvas',
    look: desktop,
    isForAdmins: true,
  },
  { name: 'shared', pathOf: ({ shared }) => shared, shows: '.chart canvas', look: desktop },
]

async function runQuery(page) {
  await page.getByRole('button', { name: /^Run/ }).click()
  await page.getByRole('button', { name: 'Chart', exact: true }).click()
  await page.locator('.line-chart canvas').waitFor()
}

async function takeAll({ url, keys }) {
  mkdirSync(folder, { recursive: true })
  await waitForHistory(url, keys.admin)
  await waitForRanking(url, keys.admin)
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  const removals = []
  try {
    const made = await makeWhatIsShown(url, keys, removals)
    for (const { path, pathOf, ...picture } of wanted)
      await take(browser, url, keys, { ...picture, path: path ?? pathOf(made) })
  } finally {
    for (const remove of removals) await remove()
    await browser.close()
  }
}

const rules = [
  {
    name: 'RTX 4090 gets cheaper',
    condition: {
      kind: 'statistic',
      gpu_name: 'RTX 4090',
      statistic: 'avail_median',
      is: 'falls',
      by: 5,
      within_hours: 24,
    },
  },
  { name: 'A machine stands idle', condition: { kind: 'machine_idle', hours: 12 } },
]

/**
 * Creates a dashboard, a shared chart and alert rules, enters costs, sets a price, and finds the machine whose new price gains
 * most. Appends to `removals` the functions that remove what was created.
 */
async function makeWhatIsShown(url, keys, removals) {
  const ask = async (key, method, path, body) => {
    const response = await fetch(`${url}/api/v0/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return response.json()
  }
  const boards = 'metrics/sql/dashboards'
  const board = await ask(keys.admin, 'POST', boards, { name: 'Market today', panels })
  removals.push(() => ask(keys.admin, 'DELETE', `${boards}/${board.id}`))
  const share = await ask(keys.host, 'POST', 'shares', {
    query: 'gpu_name=RTX+4090%2CRTX+5090%2CH100+SXM',
    last: 14 * 86_400,
    zone: 'utc',
  })
  removals.push(() => ask(keys.host, 'DELETE', `shares/${share.id}`))
  for (const asked of rules) {
    const { rule } = await ask(keys.host, 'POST', 'alerts', { email: false, ...asked })
    removals.push(() => ask(keys.host, 'DELETE', `alerts/${rule.id}`))
  }
  await ask(keys.host, 'PUT', 'metrics/costs', { kwh_price: 0.2, fee_percent: 20, other_per_month: 15 })
  removals.push(() => ask(keys.host, 'DELETE', 'metrics/costs'))
  const { machines } = await ask(keys.host, 'GET', 'metrics/machines')
  const gainOf = ({ figures }) =>
    ['raise', 'lower'].includes(figures?.advice?.verdict) ? (figures.advice.gain_per_day?.value ?? 0) : 0
  const machine = machines.toSorted((one, other) => gainOf(other) - gainOf(one))[0]?.id
  const { id, price } = machines.find((one) => one.price && one.figures.advice.verdict === 'keep')
  const changes = [{ machine_id: id, from: price, price: 1.05 * price }]
  const { decisions } = await ask(keys.host, 'POST', 'metrics/autopilot/apply', { source: null, changes })
  // Before the costs are removed: without a lowest price nothing is set.
  const undo = `metrics/autopilot/decisions/${decisions[0].id}/undo`
  removals.unshift(() => ask(keys.host, 'POST', undo, {}))
  return { board: board.id, shared: share.url, machine }
}

async function take(browser, url, keys, { name, path, shows, look, isForAdmins = false, act }) {
  const context = await browser.newContext({ colorScheme: 'light', timezoneId: 'UTC', ...look })
  // The service may share its computer with much else.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  await page.addInitScript(
    (key) => {
      sessionStorage.setItem('rackrate-key', key)
      localStorage.setItem('rackrate-introduced', 'yes')
    },
    isForAdmins ? keys.admin : keys.host,
  )
  await page.goto(new URL(path, `${url}/`).href)
  await page.locator(shows).first().waitFor()
  await act?.(page)
  // The stream of events keeps the network busy.
  await page.waitForTimeout(1500)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  console.log(join(folder, `${name}.png`))
  await context.close()
}

/** Waits until the history of the new market is filled. The service fills 21 days while it runs. */
async function waitForHistory(url, key) {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const response = await fetch(`${url}/api/v0/metrics/gpu/names`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { names = [] } = await response.json()
    const first = Math.min(...names.map(({ first_seen }) => first_seen))
    if (first < Date.now() / 1000 - 20 * 86_400) return
    await new Promise((resolve) => setTimeout(resolve, 3000))
  }
  console.log('The history is shorter than 20 days.')
}

/** Waits until incomes are computed: that begins once the history is whole, and takes longer than a page waits. */
async function waitForRanking(url, key) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const response = await fetch(`${url}/api/v0/metrics/gpu/returns`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { classes = [] } = await response.json()
    if (classes.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 3000))
  }
  throw new Error('no GPU type is ranked')
}

/** Runs `work` with a service on a free port and a new data directory. */
async function withService(work) {
  const dataDir = mkdtempSync(join(tmpdir(), 'rackrate-pictures-'))
  const program = new URL('../dist/cli/rackrate.js', import.meta.url).pathname
  const service = spawn(process.execPath, [program, 'up', '--json'], {
    // At half hours the history is filled six times as fast as at five minutes.
    env: { ...process.env, PORT: '0', RACKRATE_DATA_DIR: dataDir, SNAPSHOT_INTERVAL: '1800' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => service.once('exit', resolve))
  try {
    await work(await readyOf(service))
  } finally {
    service.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The line of JSON with the service's address. The output is read to the end, so that the service never blocks on a full pipe. */
const readyOf = (service) =>
  new Promise((resolve, reject) => {
    createInterface(service.stdout).on('line', (line) => {
      if (line.startsWith('{"url"')) resolve(JSON.parse(line))
    })
    service.once('exit', () => reject(new Error('the service has not started')))
  })

const given = process.argv.slice(2)
const isRunning = /^https?:/.test(given[0] ?? '')
const [url, host, admin] = isRunning ? given.splice(0, 3) : []
const unknown = given.filter((name) => pictures.every((picture) => picture.name !== name))
if (unknown.length > 0) throw new Error(`there is no picture ${unknown.join(', ')}`)
const wanted = given.length > 0 ? pictures.filter(({ name }) => given.includes(name)) : pictures
if (isRunning) await takeAll({ url, keys: { host, admin } })
else await withService(takeAll)
