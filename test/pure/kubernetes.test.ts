import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { StatefulSet } from 'kubernetes-types/apps/v1.d.ts'
import type { Container, Probe } from 'kubernetes-types/core/v1.d.ts'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../cli/config.ts'
import { readComposeFile } from '../compose-file.ts'

// The manifests of Kubernetes run what docker-compose.yml runs, with the same images, settings, secrets, limits and checks.

const repository = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(repository, 'deploy', path), 'utf8')
interface Kustomization {
  resources: string[]
  configMapGenerator: { name: string; files?: string[]; envs?: string[] }[]
}
const kustomization = parse(read('kustomization.yaml')) as Kustomization
const manifests = kustomization.resources.flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => document.toJS() as StatefulSet),
)
const settings = parseEnv(read('kubernetes/settings.env'))

const compose = Object.entries(readComposeFile().services)
  // Mail goes to the server that settings.env names.
  .filter(([name, { profiles }]) => !profiles && name !== 'mailpit')
const pods = manifests.flatMap(({ metadata, spec }) => {
  const pod = spec?.template?.spec
  return pod ? [{ name: metadata?.name, pod }] : []
})
const containers = pods.flatMap(({ pod }) =>
  [...(pod.initContainers ?? []), ...pod.containers].map((container) => ({ pod, container })),
)
const named = (name: string) => {
  const found = containers.find(({ container }) => container.name === name)
  if (!found) throw new Error(`no container ${name}`)
  return found
}
const environmentOf = ({ env = [], envFrom }: Container): Record<string, string | undefined> => ({
  ...(envFrom && settings),
  ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
})

it('the manifests have the fields of Kubernetes, and no others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackrate-manifests-'))
  try {
    const constants = manifests.map(({ apiVersion = '', kind = '', ...content }, index) => {
      const [group, version = group] = apiVersion.split('/')
      const path = join(
        repository,
        'node_modules/kubernetes-types',
        version === group ? 'core' : (group ?? ''),
      )
      const type = `import(${JSON.stringify(join(path, version ?? ''))}).${kind}`
      return `export const manifest${index}: ${type} = ${JSON.stringify({ apiVersion, kind, ...content })}`
    })
    const file = join(folder, 'manifests.ts')
    writeFileSync(file, constants.join('\n'))
    const tsc = join(repository, 'node_modules/.bin/tsc')
    const options = '--noEmit --strict --skipLibCheck --types --module esnext --moduleResolution bundler'
    execFileSync(tsc, ['--ignoreConfig', ...options.split(' '), file], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout, { cause: error })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it('the same services run', () => {
  const names = containers.map(({ container }) => container.name)
  expect(names.sort()).toEqual(compose.map(([name]) => name).sort())
})

const withoutVariables = (text: string) => text.replace(/\$\{\w+:-(.*?)\}/, '$1')

it.each(compose)('%s has the same image, command, limit, secrets and rights', (name, service) => {
  const { pod, container } = named(name)
  expect(container.image).toBe(service.image)
  expect(container.args).toEqual(service.command)
  const limit = withoutVariables(service.mem_limit ?? '').replace(/[mg]$/, (unit) => `${unit.toUpperCase()}i`)
  expect(container.resources?.limits).toEqual({ memory: limit })
  const secret = pod.volumes?.find((volume) => volume.secret)?.secret
  expect(secret?.items?.map(({ key }) => key)).toEqual(service.secrets)
  expect(container.volumeMounts).toContainEqual({
    name: 'secrets',
    mountPath: '/run/secrets',
    readOnly: true,
  })
  expect(container.securityContext?.readOnlyRootFilesystem).toBe(service.read_only)
  expect(container.securityContext?.allowPrivilegeEscalation).toBe(false)
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  })
})

it.each(compose)('%s has the same settings', (name, { image, environment = {} }) => {
  const given = environmentOf(named(name).container)
  const fixed = Object.entries(environment).filter(([, value]) => !value.startsWith('$'))
  expect(given).toMatchObject(Object.fromEntries(fixed))
  // Kubernetes gives a process all of settings.env, so every setting reaches it.
  if (!image.startsWith('rackrate:')) expect(Object.keys(given)).toEqual(Object.keys(environment))
})

it('every setting is one of rackrate', () => {
  const text = read('kubernetes/settings.env')
  const all = parseEnv(text.replace(/^# (?=[A-Z_]+=)/gm, ''))
  const known = Object.entries(all).filter(([setting]) => !setting.endsWith('_FILE'))
  expect(readConfig(Object.fromEntries(known))).toMatchObject({ openData: undefined, trustedProxies: 1 })
})

it.each(compose.filter(([, { volumes }]) => volumes))('%s has the same volumes', (name, { volumes = [] }) => {
  const mounts = (named(name).container.volumeMounts ?? []).map(({ mountPath }) => mountPath)
  expect(mounts).toEqual(expect.arrayContaining(volumes.map((volume) => volume.split(':')[1])))
})

/** The request of a probe, in the form of the compose file. */
const question = ({ exec, httpGet }: Probe = {}) => exec?.command?.join(' ') ?? httpGet?.path
const databases = compose.filter(
  ([, { image, healthcheck }]) => healthcheck && !image.startsWith('rackrate:'),
)

it.each(databases)('%s is asked the same whether it is ready', (name, { healthcheck }) => {
  const asked = healthcheck?.test?.slice(1).join(' ').replaceAll('$$', '$') ?? ''
  const { readinessProbe } = named(name).container
  const address = /http:\/\/127\.0\.0\.1:8123(\S+)/.exec(asked)?.[1]
  expect(question(readinessProbe)).toBe(address ?? (name === 'valkey' ? `sh -c ${asked}` : asked))
  expect(readinessProbe).toMatchObject({ periodSeconds: 5, timeoutSeconds: 5 })
})

it('the processes are asked what the compose file, the image and the proxy ask', () => {
  const [api, worker] = ['api', 'worker'].map((name) => named(name).container)
  for (const process of [api, worker]) expect(question(process?.livenessProbe)).toBe('/healthz')
  const [, asked] = /option httpchk GET (\S+)/.exec(read('proxy/api.cfg')) ?? []
  expect(question(api?.readinessProbe)).toBe(asked)
  expect(api?.ports?.[0]?.containerPort).toBe(8080)
  expect(`${worker?.ports?.[0]?.containerPort}`).toBe(environmentOf(worker ?? { name: '' }).WORKER_PORT)
})

it('everything that is named exists', () => {
  const generated = kustomization.configMapGenerator
  for (const { files = [], envs = [] } of generated)
    for (const file of [...files, ...envs])
      expect(existsSync(join(repository, 'deploy', file)), file).toBe(true)
  const named = JSON.stringify(pods).matchAll(/"configMap(?:Ref)?":\{"name":"(\w+)"/g)
  const maps = new Set([...named].map(([, name]) => name))
  expect([...maps].sort()).toEqual(generated.map(({ name }) => name).sort())
  for (const { name, pod } of pods) {
    const claims = manifests.find(({ metadata, kind }) => kind === 'StatefulSet' && metadata?.name === name)
    const volumes = [
      ...(pod.volumes ?? []).map((volume) => volume.name),
      ...(claims?.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name),
    ]
    for (const { volumeMounts = [] } of [...(pod.initContainers ?? []), ...pod.containers])
      for (const mount of volumeMounts) expect(volumes, `${name}: ${mount.name}`).toContain(mount.name)
  }
})
