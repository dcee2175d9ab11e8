import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { needs } from '../needs.ts'

const hasPromtool = needs(
  spawnSync('promtool', ['--version']).status === 0,
  'no Prometheus is installed, so the tests of its alerts do not run',
)
const dir = mkdtempSync(join(tmpdir(), 'rackrate-rules-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Which instances `RackrateDown` names at a time, and whether `RackrateAllDown` fires. `series` has a value of `up` for each minute. */
function expectAlerts(series: Record<string, string>, at: string, down: string[], isAllDown = false) {
  const labels = { severity: 'page', job: 'rackrate' }
  const alerts = {
    RackrateDown: down.map((instance) => ({
      exp_labels: { ...labels, instance },
      exp_annotations: { summary: `${instance} does not answer` },
    })),
    RackrateAllDown: isAllDown
      ? [{ exp_labels: labels, exp_annotations: { summary: 'No process of rackrate answers' } }]
      : [],
  }
  const tests = {
    rule_files: [new URL('../../deploy/prometheus/alerts.yml', import.meta.url).pathname],
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([instance, values]) => ({
          series: `up{job="rackrate",instance="${instance}"}`,
          values,
        })),
        alert_rule_test: Object.entries(alerts).map(([alertname, exp_alerts]) => ({
          alertname,
          eval_time: at,
          exp_alerts,
        })),
      },
    ],
  }
  const file = join(dir, 'tests.yml')
  writeFileSync(file, stringify(tests))
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
  expect(`${stdout}${stderr}`).toContain('SUCCESS')
  expect(status).toBe(0)
}

it.runIf(hasPromtool)('a process that answered and does not any more is reported', () => {
  expectAlerts({ api: '1x5 0x20', worker: '1x30' }, '10m', ['api'])
})

it.runIf(hasPromtool)('a service that was never started is not', () => {
  expectAlerts({ api: '0x60', worker: '0x60', 'api-1': '1x60', 'worker-1': '1x60' }, '60m', [])
})

it.runIf(hasPromtool)('a service that was stopped for good is forgotten after a day', () => {
  expectAlerts({ api: '1x5 0x2000', 'api-1': '1x2010' }, '1460m', [])
})

it.runIf(hasPromtool)('a site of which nothing ever answered is reported', () => {
  expectAlerts({ api: '0x30', worker: '0x30' }, '10m', [], true)
})
