import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, normalize } from 'node:path'
import type { FetchedTask } from '../../contract/copytool.ts'

export interface Programs {
  rclone: string
  bwrap: string
}

// The remote of an rclone process is configured by environment variables: credentials are in no file and no argument.
const remote = 'cloud'
// Options that rclone takes in its obscured form only.
const obscured = ['pass']
// The instance's folder inside the sandbox.
const home = '/instance'

/**
 * Starts a copy. rclone runs in a sandbox (bubblewrap) with the instance's folder and, read-only, programs and certificates, and without a network
 * except for the proxy's socket. Links that a tenant creates, also during the copy, and redirects of the tenant's cloud therefore cannot reach
 * the host. Arguments are passed as a list, never through a shell; after `--` none is an option. Throws when the instance has no folder.
 */
export function startRclone(
  { rclone, bwrap }: Programs,
  root: string,
  proxySocket: string,
  { task, cloud }: FetchedTask,
): ChildProcess {
  const isUpload = task.transfer === 'Instance To Cloud'
  const folder = realpathSync(join(root, String(task.instance_id)))
  const local = home + normalize(`/${isUpload ? task.src : task.dst}`)
  const away = `${remote}:${(isUpload ? task.dst : task.src).replace(/^\/+/, '')}`
  const [from, to] = isUpload ? [local, away] : [away, local]
  const copy = [
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
  return spawn(
    bwrap,
    [
      ...sandbox(folder, realpathSync(programPath(rclone)), proxySocket),
      '--',
      '/node',
      '/inside.mjs',
      '/rclone',
      ...copy,
    ],
    {
      env: { PATH: process.env.PATH ?? '', ...remoteOf(rclone, cloud) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
}

const inside = createRequire(import.meta.url).resolve('#dist/src/agent/inside-sandbox.js')

const sandbox = (folder: string, rclone: string, proxySocket: string): string[] => [
  '--unshare-all',
  '--die-with-parent',
  '--new-session',
  '--ro-bind',
  '/usr',
  '/usr',
  '--symlink',
  'usr/bin',
  '/bin',
  '--symlink',
  'usr/lib',
  '/lib',
  '--symlink',
  'usr/lib64',
  '/lib64',
  '--ro-bind-try',
  '/etc/ssl',
  '/etc/ssl',
  '--proc',
  '/proc',
  '--dev',
  '/dev',
  '--tmpfs',
  '/tmp',
  '--ro-bind',
  process.execPath,
  '/node',
  '--ro-bind',
  inside,
  '/inside.mjs',
  '--ro-bind',
  rclone,
  '/rclone',
  '--bind',
  proxySocket,
  '/proxy.sock',
  '--bind',
  folder,
  home,
]

/** The path of a program; throws when there is none. */
export const programPath = (name: string): string =>
  name.includes('/') ? name : execFileSync('which', [name], { encoding: 'utf8', stdio: 'pipe' }).trim()

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
