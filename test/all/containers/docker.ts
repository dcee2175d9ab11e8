import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { readComposeFile } from '../../compose-file.ts'

const run = promisify(execFile)
export const repository = join(import.meta.dirname, '../../..')

/** The Docker clients of this machine. A client without buildx cannot build; another client may be able to. */
const clients = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'docker'))
  .filter((file) => existsSync(file))

interface Options {
  env?: Record<string, string>
  /** Seconds */
  limit?: number
  client?: string
}

/** The standard output of a docker command. Throws an error with its whole output. */
export async function docker(args: string[], { env, limit = 600, client = 'docker' }: Options = {}) {
  const { stdout } = await run(client, args, {
    cwd: repository,
    timeout: limit * 1000,
    maxBuffer: 2 ** 26,
    env: { ...process.env, ...env },
  }).catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`docker ${args.join(' ')}: ${error.stdout}${error.stderr}`)
  })
  return stdout.trim()
}

/** Builds the image of the service. */
export async function buildImage(tag: string): Promise<void> {
  const errors: string[] = []
  for (const client of clients) {
    const built = await docker(['build', '--tag', tag, '.'], { client, env: { DOCKER_BUILDKIT: '1' } }).then(
      () => true,
      (error: Error) => {
        errors.push(error.message.slice(-2000))
        return false
      },
    )
    if (built) return
  }
  throw new Error(errors.join('\n'))
}

const layersOf = async (image: string): Promise<string[] | undefined> =>
  docker(['image', 'inspect', '--format', '{{json .RootFS.Layers}}', image]).then(
    (json) => JSON.parse(json),
    () => undefined,
  )

export interface Images {
  /** By image: true if it is the real image, false for a stand-in. */
  found: Record<string, 'real' | 'stand-in'>
  missing: string[]
}

/** Pulls the images that the tests need. Without a registry the images of tools/stand-in-images take their place. */
export async function findImages(): Promise<Images> {
  const [node = ''] = /(?<=^FROM )node:\S+/m.exec(readFileSync(join(repository, 'Dockerfile'), 'utf8')) ?? []
  const base = (await layersOf('rackrate-standin/debian:bookworm'))?.[0]
  const images: Images = { found: {}, missing: [] }
  const { services } = readComposeFile()
  const theirs = ['postgres', 'clickhouse', 'valkey', 'mailpit', 'proxy'].map((name) => services[name]?.image)
  for (const image of [node, ...theirs.filter((name) => name !== undefined)]) {
    const isStandIn = async () => {
      const layers = await layersOf(image)
      return layers && layers[0] === base
    }
    if ((await isStandIn()) !== false)
      await docker(['pull', '--quiet', image], { limit: 300 }).catch(() => undefined)
    const kind = await isStandIn()
    if (kind === undefined) images.missing.push(image)
    else images.found[image] = kind ? 'stand-in' : 'real'
  }
  return images
}

/** The command of Compose: the plugin, or the program before it. */
export const findCompose = async (): Promise<string[] | undefined> => {
  for (const command of [['docker', 'compose'], ['docker-compose']] as const) {
    const [client = '', ...args] = command
    const exists = await run(client, [...args, 'version']).then(
      () => true,
      () => false,
    )
    if (exists) return [...command]
  }
  return undefined
}
