import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import type { FetchedTask } from '../companion/copytool/schema.ts'
import { pathInInstance } from './paths.ts'

// The one remote of an rclone process, configured by its environment: credentials touch neither disk nor arguments.
const remote = 'cloud'

// Options that rclone wants in its obscured form.
const obscured = ['pass']

/** Begins a copy. Arguments go as a list, never through a shell; what comes after `--` is no option. Throws for a path that leads out. */
export function startRclone(rclone: string, root: string, { task, cloud }: FetchedTask): ChildProcess {
  const local = pathInInstance(
    root,
    task.instance_id,
    task.transfer === 'Instance To Cloud' ? task.src : task.dst,
  )
  const away = `${remote}:${(task.transfer === 'Instance To Cloud' ? task.dst : task.src).replace(/^\/+/, '')}`
  const [from, to] = task.transfer === 'Instance To Cloud' ? [local, away] : [away, local]
  const args = [
    'copy',
    '--config',
    '',
    '-v',
    '--stats',
    '10s',
    '--stats-one-line',
    ...task.flags,
    '--',
    from,
    to,
  ]
  return spawn(rclone, args, {
    env: { PATH: process.env.PATH ?? '', ...remoteOf(rclone, cloud) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function remoteOf(rclone: string, { provider, credentials }: FetchedTask['cloud']): Record<string, string> {
  const options: Record<string, string> = {
    type: provider,
    ...(provider === 's3' && { provider: credentials.endpoint ? 'Other' : 'AWS' }),
    ...credentials,
  }
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      `RCLONE_CONFIG_${remote}_${name}`.toUpperCase(),
      obscured.includes(name)
        ? execFileSync(rclone, ['obscure', '-'], { input: value, encoding: 'utf8' }).trim()
        : value,
    ]),
  )
}
