import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readComposeFile } from '../compose-file.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const compose = readComposeFile()
const services = Object.entries(compose.services)
const bytesOf = (size = '') => Number.parseInt(size, 10) * (size.endsWith('g') ? 2 ** 30 : 2 ** 20)

it.each(services)('%s has a memory limit, a fixed image and no way to more privileges', (_name, service) => {
  expect(service.mem_limit).toMatch(/^(\d+[mg]|\$\{\w+:-\d+g\})$/)
  expect(service.security_opt).toContain('no-new-privileges:true')
  expect(service.image).toMatch(/:v?\d+[\d.]*$/)
})

// Their entry point writes its configuration.
const writesItself = /^clickhouse\/clickhouse-(server|keeper):/

it.each(services.filter(([, { image }]) => !writesItself.test(image)))(
  '%s cannot write its image',
  (_name, service) => {
    expect(service.read_only).toBe(true)
  },
)

it.each(services.filter(([, { image }]) => image.startsWith('clickhouse/clickhouse-server:')))(
  '%s takes less memory than its container has',
  (_name, { volumes }) => {
    expect(volumes).toContain('./deploy/clickhouse/limits.xml:/etc/clickhouse-server/config.d/limits.xml:ro')
    const [, ratio] = /_to_ram_ratio>([\d.]+)</.exec(read('deploy/clickhouse/limits.xml')) ?? []
    expect(Number(ratio)).toBe(0.75)
  },
)

it('Valkey asks for a password, and its memory limit holds what it may store', () => {
  const { command = [], secrets, mem_limit } = compose.services.valkey ?? {}
  expect(command[1]).toBe('/run/secrets/valkey_conf')
  expect(secrets).toEqual(['valkey_conf'])
  expect(read('deploy/make-secrets.sh')).toContain('keep valkey_conf "requirepass $(random 24)"')
  expect(bytesOf(command[command.indexOf('--maxmemory') + 1])).toBeLessThan(bytesOf(mem_limit))
  for (const [, { environment }] of services) expect(environment?.REDIS_URL).toBeUndefined()
})

it('every secret that is mounted is created', () => {
  const created = [...read('deploy/make-secrets.sh').matchAll(/^keep (\w+) /gm)].map(([, name]) => name)
  expect(created.sort()).toEqual(Object.keys(compose.secrets).sort())
  for (const [name, { file }] of Object.entries(compose.secrets)) expect(file).toBe(`./secrets/${name}`)
})

const ours = services.filter(([, { image }]) => image.startsWith('rackrate:'))
const settings = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` /gm)].map(
  ([, name = '']) => name,
)
/** Settings that the containers decide themselves: their ports, the databases, and shared files. */
const fixed =
  /^(HOST|PORT|WORKER_PORT|RACKRATE_DATA_DIR|OPEN_DATA_DIR|DATABASE_URL|REDIS_URL|ENCRYPTION_KEY|CLICKHOUSE_\w+)$/
/** Settings of commands that run elsewhere. */
const elsewhere = /^(AGENT_KEY|RACKRATE_URL|RACKRATE_KEY)$/

it.each(ours)('%s takes every setting from the environment', (_name, { environment = {}, volumes }) => {
  expect(settings.length).toBeGreaterThan(30)
  const passed = settings.filter((name) => environment[name]?.startsWith(`\${${name}:-`))
  expect(passed).toEqual(settings.filter((name) => !fixed.test(name) && !elsewhere.test(name)))
  // The default of OPEN_DATA makes files. The API and the workers need the same folder for them.
  expect(volumes).toEqual([expect.stringMatching(/^(cluster-)?rackrate:\/var\/lib\/rackrate$/)])
})

it('Prometheus watches every API and every worker', () => {
  const { scrape_configs } = parse(read('deploy/prometheus/prometheus.yml')) as {
    scrape_configs: { static_configs: { targets: string[]; labels?: { site: string } }[] }[]
  }
  const watched = scrape_configs.flatMap(({ static_configs }) =>
    static_configs.flatMap(({ targets, labels }) => targets.map((target) => `${target} ${labels?.site}`)),
  )
  const ports: Record<string, number> = { serve: 8080, worker: 9464 }
  const running = ours.flatMap(([name, { command, profiles }]) => {
    const port = ports[command?.[0] ?? '']
    return port ? [`${name}:${port} ${profiles?.[0]}`] : []
  })
  expect(watched.sort()).toEqual(running.sort())
})

it('builds without asking a registry for a syntax, on one fixed version of Node', () => {
  const dockerfile = read('Dockerfile')
  expect(dockerfile).not.toMatch(/^# *syntax/m)
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
  expect(new Set(images).size).toBe(1)
  expect(images[0]).toMatch(/^node:\d+\.\d+-/)
})

it('the image is built from every folder of the program and the page', () => {
  const [, folders = ''] = /^const folders =\s+'([\w ]+)'/m.exec(read('tools/build.mjs')) ?? []
  const needed = [...folders.split(' '), 'sql', 'web'].sort()
  const copied = [...read('Dockerfile').matchAll(/^COPY (\w+) \1$/gm)].map(([, name]) => name)
  expect(copied.sort()).toEqual(needed)
  const sent = [...read('.dockerignore').matchAll(/^!(\w+)$/gm)].map(([, name]) => name)
  expect(sent.filter((name) => name !== 'LICENSE').sort()).toEqual(needed)
})
