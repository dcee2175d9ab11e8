import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

interface Fault {
  name: string
  file: string
  text: string
  tests: string[]
}

const faults: Fault[] = parse(readFileSync('test/faults.yaml', 'utf8'))

it.each(faults)('$name: can still be planted', ({ file, text, tests }) => {
  expect(readFileSync(file, 'utf8').split(text).length - 1, `times that ${file} has: ${text}`).toBe(1)
  for (const path of tests) expect(existsSync(path), path).toBe(true)
})
