// Prints the sizes of the product files and functions of a source tree, and how far three walks through the code lead
// (docs/architecture.md, "Sizes and walks"). Usage: node tools/house-figures.mjs [FOLDER] [--walk NAME=FILE,FILE]...
//
// Product files are *.ts and *.tsx outside test/, bench/ and tools/, without generated and configuration files.
// A walk starts at every function of the given files and follows each reference to a function of the tree, once per function.
// It counts the files entered and the hops (references that lead to another file), without the shared vocabulary of platform/ and
// contract/, then all files entered, and the steps to SQL (the most functions in a row between a start and a statement).
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import ts from 'typescript'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { walk: { type: 'string', multiple: true } },
})
const root = resolve(positionals[0] ?? '.')

const skipped = /^(node_modules|dist|test|bench|tools|docs|\..*)$/
const generated = /^client\/(src\/)?schema\.ts$|\.config\.ts$/

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !skipped.test(entry.name)) yield* filesIn(path)
    if (entry.isFile() && /\.tsx?$/.test(path) && !generated.test(relative(root, path))) yield path
  }
}

const files = [...filesIn(root)].sort()
const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  jsx: ts.JsxEmit.Preserve,
  types: [],
})
const sources = files.map((file) => program.getSourceFile(file))
const nameOf = (source) => relative(root, source.fileName)

const linesBetween = (source, from, to) =>
  source.getLineAndCharacterOfPosition(to).line - source.getLineAndCharacterOfPosition(from).line + 1

const isFunction = (node) => ts.isFunctionLike(node) && 'body' in node && node.body !== undefined

/** The name of a function: its own, else that of the variable or property that it is assigned to. */
function labelOf(node) {
  const named = node.name ?? node.parent?.name
  return named && ts.isIdentifier(named) ? named.text : '(anonymous)'
}

function functionsOf(source) {
  const found = []
  const visit = (node) => {
    if (isFunction(node))
      found.push({
        file: nameOf(source),
        name: labelOf(node),
        lines: linesBetween(source, node.getStart(source), node.end),
      })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const quantile = (sorted, p) => sorted[Math.max(0, Math.ceil(sorted.length * p) - 1)] ?? 0

function summary(name, sizes) {
  const sorted = sizes.map(({ lines }) => lines).sort((a, b) => a - b)
  const total = sorted.reduce((sum, lines) => sum + lines, 0)
  console.log(
    `${name}: ${sorted.length}, lines ${total}, median ${quantile(sorted, 0.5)}, p90 ${quantile(sorted, 0.9)}, max ${sorted.at(-1) ?? 0}`,
  )
}

function longest(title, sizes, limit) {
  const over = sizes.filter(({ lines }) => lines > limit).sort((a, b) => b.lines - a.lines)
  console.log(`${title} over ${limit} lines: ${over.length}`)
  for (const { file, name, lines } of over) console.log(`  ${lines}  ${file}${name ? ` ${name}` : ''}`)
}

const fileSizes = sources.map((source) => ({
  file: nameOf(source),
  lines: readFileSync(source.fileName, 'utf8').split('\n').length - 1,
}))
const functionSizes = sources.flatMap(functionsOf)
summary('files', fileSizes)
summary('functions', functionSizes)
summary(
  'named functions',
  functionSizes.filter(({ name }) => name !== '(anonymous)'),
)
longest('functions', functionSizes, 80)
longest('files', fileSizes, 250)

// Each walk with its starts, by their present names and those of commit d58e50a.
const walks = values.walk?.map((text) => [
  text.split('=')[0],
  text.slice(text.indexOf('=') + 1).split(','),
]) ?? [
  ['a slot, from capture to roll-up', ['ingest/capture.ts', 'ingest/load.ts']],
  ['an import row', ['import/import-files.ts', 'ingest/import/run.ts']],
  [
    'a 2FA proof',
    ['src/companion/tfa/regenerate-backup-codes.ts', 'src/companion/tfa/backup-codes-route.ts'],
  ],
]

const isOwn = (file) => !/^(src\/)?(platform|contract)\//.test(file)

const checker = program.getTypeChecker()

/** The function of the tree that an identifier stands for, if it stands for one. */
function targetOf(identifier) {
  let symbol = checker.getSymbolAtLocation(identifier)
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
  const declaration = symbol?.valueDeclaration
  const node = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration
  const isOurs = node && sources.includes(node.getSourceFile())
  return isOurs && isFunction(node) ? node : undefined
}

const sendsSql = (node) =>
  ts.isCallExpression(node) &&
  ((ts.isIdentifier(node.expression) && node.expression.text === 'loadSql') ||
    (ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'query'))

function walk(starts) {
  const entered = new Map() // function → most steps from it to SQL, undefined while it is being visited
  const rooms = new Set()
  let hops = 0
  const enter = (body) => {
    if (entered.has(body)) return entered.get(body) ?? Number.NEGATIVE_INFINITY
    entered.set(body, undefined)
    const source = body.getSourceFile()
    rooms.add(nameOf(source))
    let steps = Number.NEGATIVE_INFINITY
    const visit = (node) => {
      if (sendsSql(node)) steps = Math.max(steps, 0)
      const target = ts.isIdentifier(node) && node.parent?.name !== node ? targetOf(node) : undefined
      if (target && target !== body) {
        if (target.getSourceFile() !== source && isOwn(nameOf(target.getSourceFile()))) hops += 1
        steps = Math.max(steps, enter(target) + 1)
      }
      ts.forEachChild(node, visit)
    }
    ts.forEachChild(body, visit)
    entered.set(body, steps)
    return steps
  }
  const steps = Math.max(...starts.map(enter))
  return { files: [...rooms].filter(isOwn).length, hops, 'all files': rooms.size, steps }
}

for (const [name, given] of walks) {
  const starts = sources.filter((source) => given.includes(nameOf(source)))
  if (starts.length === 0) console.log(`${name}: none of ${given.join(', ')} is in this tree; give --walk`)
  else
    console.log(
      `${name}: ${Object.entries(walk(starts))
        .map(([what, count]) => `${what} ${count}`)
        .join(', ')}`,
    )
}
