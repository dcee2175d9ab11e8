import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** Expects an alert to fire, or not, at a time. Series have a value for each minute. */
function expectAlert(
  series: Record<string, string>,
  { name, at, fires }: { name: string; at: string; fires: boolean },
) {
  const input = Object.entries(series).map(([selector, values]) => ({ series: selector, values }))
  // ALERTS names an alert that fires without its annotations.
  const expression = `count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)`
  expectTests({
    input_series: input,
    promql_expr_test: [
      { expr: expression, eval_time: at, exp_samples: [{ labels: '{}', value: fires ? 1 : 0 }] },
    ],
  })
}

/** The instances that `RackrateDown` names at a time, and true if `RackrateAllDown` fires. `series` has a value of `up` for each minute. */
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
  expectTests({
    input_series: Object.entries(series).map(([instance, values]) => ({
      series: `up{job="rackrate",instance="${instance}"}`,
      values,
    })),
    alert_rule_test: Object.entries(alerts).map(([alertname, exp_alerts]) => ({
      alertname,
      eval_time: at,
      exp_alerts,
    })),
  })
}

/** Runs a test of the shipped alerts in the form of promtool. */
function expectTests(test: Record<string, unknown>) {
  const rules = new URL('../../deploy/prometheus/alerts.yml', import.meta.url).pathname
  const tests = { rule_files: [rules], tests: [{ interval: '1m', ...test }] }
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

const late = (interval: number) => ({
  'rackrate_slot_lag_seconds{site="a"}': '0+60x120',
  'rackrate_snapshot_interval_seconds{site="a"}': `${interval}x120`,
})

it.runIf(hasPromtool).each([
  [300, '16m', false],
  [300, '19m', true],
  [900, '44m', false],
  [900, '49m', true],
])('slots every %i s are late after %s: %s', (interval, at, fires) => {
  expectAlert(late(interval), { name: 'RackrateSlotsLate', at, fires })
})

it.runIf(hasPromtool)('probes that fail are not requests that fail', () => {
  const name = 'RackrateErrors'
  const probes = { 'rackrate_http_requests_total{route="/readyz",status="503"}': '0+30x60' }
  const requests = {
    'rackrate_http_requests_total{route="/api/v0/users/current",status="200"}': '0+100x60',
    'rackrate_http_requests_total{route="/api/v0/metrics/gpu/history",status="503"}': '0+2x60',
  }
  expectAlert(probes, { name, at: '30m', fires: false })
  expectAlert({ ...probes, ...requests }, { name, at: '30m', fires: true })
})

it('each alert has a row with its cause, where to look and what mends it', () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  const alerts = [...read('deploy/prometheus/alerts.yml').matchAll(/- alert: Rackrate(\w+)/g)]
  const rows = read('docs/operations.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 6 && /^`[A-Z][A-Za-z]+`$/.test(cells[1] ?? ''))
  const named = rows.map(([, name = '']) => name.replaceAll('`', ''))
  expect(named.toSorted()).toEqual(alerts.map(([, name = '']) => name).toSorted())
  for (const cells of rows)
    expect(
      cells.slice(2, 5).every((cell) => cell.length > 0),
      cells[1],
    ).toBe(true)
})
