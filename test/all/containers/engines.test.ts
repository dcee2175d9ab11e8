import { spawn } from 'node:child_process'
import { expect, it, vi } from 'vitest'
import { hasDocker, imageOf } from '../../containers.ts'
import { needs } from '../../needs.ts'
import { exited } from '../../process.ts'
import { docker, repository } from './docker.ts'

// Tests on engines in containers, which is what a developer with Docker gets (CONTRIBUTING.md).

const hasEngine = needs(await hasDocker(), 'there is no Docker engine, so no test runs on containers')

const files = ['queue', 'history-contract', 'sql'].map((name) => `test/real/${name}.test.ts`)

/** A run of tests in a process group of its own, with all that it prints. */
function runTests(names: string[]) {
  const { TEST_ENGINES: _, ...env } = process.env
  const child = spawn('npx', ['vitest', 'run', '--project', 'real', ...names], {
    cwd: repository,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return Object.assign(child, { output: () => output })
}

const running = async () =>
  (await docker(['ps', '--all', '--quiet', '--filter', 'label=rackrate.tests'])).split('\n').filter(Boolean)

it.skipIf(!hasEngine)('several files run together on containers', async () => {
  const tests = runTests(files)
  const code = await exited(tests)
  const images = ['postgres', 'clickhouse', 'valkey'].map((service) => `in Docker (${imageOf(service)})`)
  for (const image of images) expect(tests.output()).toContain(image)
  expect(code, tests.output().slice(-4000)).toBe(0)
})

it.skipIf(!hasEngine)('a run that is killed leaves no container', async () => {
  await vi.waitFor(async () => expect(await running()).toEqual([]), { timeout: 60_000 })
  const tests = runTests(['test/real/queue.test.ts'])
  await vi.waitFor(async () => expect(await running()).toHaveLength(3), { timeout: 120_000, interval: 200 })
  if (tests.pid) process.kill(-tests.pid, 'SIGKILL')
  await exited(tests)
  await vi.waitFor(async () => expect(await running()).toEqual([]), { timeout: 60_000 })
})
