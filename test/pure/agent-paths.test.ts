import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { pathInInstance } from '../../src/agent/paths.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'rackrate-paths-')))
const home = join(root, '7')
mkdirSync(join(home, 'data'), { recursive: true })
mkdirSync(join(root, '77'))
writeFileSync(join(root, '77', 'secret'), 'x')
symlinkSync(join(root, '77'), join(home, 'neighbour'))
symlinkSync('/etc', join(home, 'etc'))
symlinkSync('data', join(home, 'inside'))
symlinkSync(join(root, '77', 'not-yet'), join(home, 'dangling'))
afterAll(() => rmSync(root, { recursive: true }))

it.each([
  ['/', home],
  ['data', join(home, 'data')],
  ['/data/new/deep', join(home, 'data', 'new', 'deep')],
  ['/inside/x', join(home, 'data', 'x')],
  ['-flag', join(home, '-flag')],
  ['a:b', join(home, 'a:b')],
])('%s stays inside', (path, expected) => {
  expect(pathInInstance(root, 7, path)).toBe(expected)
})

it.each([
  '..',
  '/../77/secret',
  'data/../../77',
  '/etc',
  '/etc/passwd',
  '/neighbour/secret',
  '/neighbour/new',
  '/data/../etc',
])('%s leads out', (path) => {
  expect(() => pathInInstance(root, 7, path)).toThrow(/leads out/)
})

it('an instance without a folder has no paths', () => {
  expect(() => pathInInstance(root, 8, '/')).toThrow()
})

it('a dangling link is not followed to where it would lead', () => {
  expect(() => pathInInstance(root, 7, '/dangling')).toThrow(/leads out/)
})
