import { expect, it } from 'vitest'
import { type Change, NotKnown, NotSet } from '../../src/autopilot/adapter.ts'
import { command } from '../../src/autopilot/command.ts'

// The program that sets prices of sources, as a real process.

const change: Change = {
  id: 'the-id',
  account_id: 1,
  rule_id: 1,
  source: 'vast',
  machine_id: 7,
  gpu_name: 'RTX 4090',
  num_gpus: 1,
  kind: 'change',
  old_price: 0.5,
  new_price: 0.45,
  reason: '',
  adapter: 'command',
  state: 'called',
  attempts: 1,
  is_expired: false,
  webhook_url: null,
  webhook_secret_sealed: null,
}
const node = (script: string, args: string[] = [], timeoutMs = 30_000) =>
  command([process.execPath, '-e', script, '--', ...args], { timeoutMs })
const failure = (script: string, timeoutMs?: number) =>
  node(script, [], timeoutMs)
    .set(change)
    .catch((error: Error) => error)

it('a command receives the values as arguments, without a shell, and its answer is stored', async () => {
  const print = 'console.log(JSON.stringify(process.argv.slice(1)))'
  const args = ['{machine}', '{price}', '{old}', '{source}', '{id}', '$(id); {nothing} {price}/{price}']
  expect(JSON.parse(`${await node(print, args).set(change)}`)).toEqual([
    '7',
    '0.45',
    '0.5',
    'vast',
    'the-id',
    '$(id); {nothing} 0.45/0.45',
  ])
})

it('a command that fails reports the reason', async () => {
  expect(await failure('console.error("no such machine"); process.exit(3)')).toEqual(
    new NotSet('The command failed with exit code 3: no such machine'),
  )
  expect(
    await command(['/nowhere/set-price'])
      .set(change)
      .catch((error: Error) => error),
  ).toEqual(new NotSet('The command could not be started (ENOENT)'))
})

it.each([
  [
    'runs too long',
    'setInterval(() => {}, 1000)',
    500,
    /^The command did not end within 0.5 s\. The price may or may not have changed/,
  ],
  [
    'is ended by a signal',
    'process.kill(process.pid, "SIGKILL")',
    undefined,
    /^The command was ended by SIGKILL\. The price may or may not have changed/,
  ],
  [
    ...(['never stops printing', 'setInterval(() => console.log("x".repeat(1e5)), 1)', undefined] as const),
    /^The command printed more than 1 MB, and was ended\. The price may or may not have changed/,
  ],
])('a command that %s has an unknown outcome', async (_, script, timeoutMs, message) => {
  const error = await failure(script, timeoutMs)
  expect(error).toBeInstanceOf(NotKnown)
  expect((error as Error).message).toMatch(message)
})

it('a command that exits with 0 has set the price, whatever it prints', async () => {
  const answer = await node(
    'process.stdout.write(Buffer.from([0, 255, 0, 254])); console.log("x".repeat(1e5))',
  ).set(change)
  expect(answer).toHaveLength(500)
  expect(answer).not.toContain('\0')
})
