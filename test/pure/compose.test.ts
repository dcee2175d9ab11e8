import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

interface Service {
  image: string
  mem_limit?: string
  read_only?: boolean
  security_opt?: string[]
  command?: string[]
  secrets?: unknown[]
  environment?: Record<string, string>
  volumes?: string[]
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const compose = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: -1 }) as {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
}
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
    expect(volumes).toContain('./deploy/clickhouse/memory.xml:/etc/clickhouse-server/config.d/memory.xml:ro')
    const [, ratio] = /_to_ram_ratio>([\d.]+)</.exec(read('deploy/clickhouse/memory.xml')) ?? []
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
