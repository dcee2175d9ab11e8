import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { freePort } from './debian.ts'
import { needs } from './needs.ts'
import { exited } from './process.ts'

export const hasPrometheus = needs(
  spawnSync('prometheus', ['--version']).status === 0,
  'no Prometheus is installed, so the tests that scrape with it do not run',
)

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

/** A Prometheus with the shipped configuration and alerts, and the market's job from the docs, that scrapes `target` every five seconds with `key`. */
export async function startPrometheus(target: string, key: string) {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-prometheus-'))
  const [, market = ''] = /```yaml\nscrape_configs:\n([^`]*)```/.exec(read('docs/prometheus.md')) ?? []
  const configuration = `${read('deploy/prometheus/prometheus.yml')}${market}`
    .replace(/ *- targets: \["api-1.*\n.*site: cluster.*\n/, '')
    .replaceAll(/targets: \[.*\]/g, `targets: ["${target}"]`)
    // A scrape may take as long as its interval, and on a busy machine a second is not enough.
    .replaceAll(/(scrape|evaluation)_interval: \w+/g, '$1_interval: 5s')
    .replace('/etc/prometheus/rackrate_key', join(dir, 'key'))
  writeFileSync(join(dir, 'prometheus.yml'), configuration)
  writeFileSync(join(dir, 'alerts.yml'), read('deploy/prometheus/alerts.yml'))
  writeFileSync(join(dir, 'key'), key)

  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const options = { 'config.file': join(dir, 'prometheus.yml'), 'storage.tsdb.path': join(dir, 'data') }
  const process = spawn(
    'prometheus',
    [
      ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  /** The data of an answer of its API. */
  const get = async <Data>(path: string, parameters: Record<string, string> = {}): Promise<Data> => {
    const response = await fetch(`${address}/api/v1/${path}?${new URLSearchParams(parameters)}`)
    const answer = (await response.json()) as { status: string; error?: string; data: Data }
    if (answer.status !== 'success') throw new Error(`${JSON.stringify(parameters)}: ${answer.error}`)
    return answer.data
  }
  await vi.waitFor(() => get('status/runtimeinfo'), { timeout: 60_000, interval: 100 })
  return {
    get,
    async stop() {
      process.kill('SIGKILL')
      await exited(process)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
