import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'rackrate-language-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function run(program: string, parameters: string[]) {
  const { status, stderr } = spawnSync(program, parameters, { cwd: folder, encoding: 'utf8' })
  return { status, report: stderr }
}

it('tools/check-words.mjs reports a violation of each of its rules', () => {
  const planted = [
    ['bad/a.ts', '\n/** What it is. */\nconst a = 1\n', 'bad/a.ts:2: "What it is. …"'],
    ['bad/b.tsx', '// A sum. Of none: 0.\n', 'bad/b.tsx:1: "Of none: 0. …"'],
    ['bad/c.mjs', 'f() // those of it\n', 'bad/c.mjs:1: "those of"'],
    ['bad/d.sql', 'SELECT 1\n-- So many\n-- rows.\n', 'bad/d.sql:2: "So many"'],
    ['bad/e.css', '/* All but one. */\n', 'bad/e.css:1: "All but"'],
    ['bad/f.ts', "z.string().describe('How many')\n", 'bad/f.ts:1: "How many …"'],
    ['bad/g.ts', "new Option('--a', 'nobody')\n", 'bad/g.ts:1: "nobody"'],
    ['bad/h.ts', "const h = { summary: 'Whoever' }\n", 'bad/h.ts:1: "Whoever"'],
    ['bad/test/i.ts', "it('is empty', f)\n", 'bad/test/i.ts:1: title "is empty"'],
    ['bad/test/j.ts', `it('${'a'.repeat(91)}', f)\n`, 'bad/test/j.ts:1: title of 91 characters'],
    ['bad/l.ts', "throw new UsageError('Whoever may')\n", 'bad/l.ts:1: "Whoever"'],
    ['bad/k.ts', 'interface Asked {}\n', 'bad/k.ts:1: type "Asked"'],
  ] as const
  for (const [path, text] of planted) write(path, text)
  const { status, report } = run('node', [resolve('tools/check-words.mjs'), 'bad'])
  for (const [, , expected] of planted) expect(report).toContain(expected)
  expect(status).toBe(1)
})

it('tools/check-words.mjs accepts plain words, and quoted ones', () => {
  write('good/a.ts', '/** The number of rows. `what` and "those of" are quoted. */\nconst a = "What"\n')
  expect(run('node', [resolve('tools/check-words.mjs'), 'good'])).toEqual({ status: 0, report: '' })
})

it('tools/no-literal-spread.grit refuses spreads of literals', () => {
  write('biome.json', JSON.stringify({ plugins: [resolve('tools/no-literal-spread.grit')] }))
  const spreads = [
    '{ ...{ b: 1 }, c: 2 }',
    '[...[1, 2], 3]',
    '{ ...({ b: 1 }), c: 2 }',
    '<p {...{ id: "b" }} />',
  ]
  spreads.forEach((spread, index) => {
    write(`spread/${index}.tsx`, `export const a = ${spread}\n`)
  })
  const { status, report } = run(resolve('node_modules/.bin/biome'), ['lint', 'spread'])
  for (const index of spreads.keys())
    expect(report).toMatch(new RegExp(`spread/${index}\\.tsx:1:\\d+ plugin`))
  expect(status).toBe(1)
})
