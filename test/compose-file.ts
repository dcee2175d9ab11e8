import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export interface Service {
  image: string
  build?: string
  command?: string[]
  ports?: string[]
  profiles?: string[]
  volumes?: string[]
  secrets?: unknown[]
  environment?: Record<string, string>
  depends_on?: Record<string, unknown>
  healthcheck?: { test?: string[] }
  mem_limit?: string
  read_only?: boolean
  security_opt?: string[]
}
export interface ComposeFile {
  name?: string
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  volumes: Record<string, unknown>
}

export const readComposeFile = (): ComposeFile =>
  parse(readFileSync(new URL('../docker-compose.yml', import.meta.url), 'utf8'), {
    merge: true,
    maxAliasCount: -1,
  })
