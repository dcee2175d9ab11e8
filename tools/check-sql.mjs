// Checks the place of SQL (CONTRIBUTING.md): a statement in TypeScript is one string on one line, at most 110 characters; a longer one is a
// part of a file in sql/ENGINE/queries/, with a comment on top that names its parameters. Also reports parts that nothing sends, and names
// without a part. No arguments.
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const product = [
  'cli',
  'workers',
  'src',
  'collect',
  'import',
  'simulate',
  'ingest',
  'platform',
  'contract',
  'estimates',
  'embedded',
]
const others = ['test', 'bench', 'tools']

const longest = 110
const statement =
  /^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE|ALTER|DROP|TRUNCATE|GRANT|REVOKE|KILL|SYSTEM|OPTIMIZE|EXCHANGE|RENAME|LOCK|EXPLAIN) /

/** The functions that send a statement: the place of the statement among their arguments, and the engine. */
const senders = {
  query: [0, 'postgres'],
  selectRows: [1, 'clickhouse'],
  selectColumns: [1, 'clickhouse'],
  openExport: [1, 'clickhouse'],
  insertLines: [1, 'clickhouse'],
  execute: [1, 'clickhouse'],
}

const problems = []
/** One regular expression for each text in the code that can be the name of a statement or of a file. */
const named = []
const statements = new Map([
  ...listFiles('sql', /^(postgres|clickhouse)\/queries\/.*\.sql$/).flatMap(partsOf),
  ...listFiles('sql', /^clickhouse\/accounts\/.*\.sql$/).map((path) => [
    path.slice(0, -'.sql'.length),
    readFileSync(`sql/${path}`, 'utf8'),
  ]),
])

const code = [...product, ...others].flatMap((folder) =>
  listFiles(folder, /\.(ts|mjs)$/).map((path) => `${folder}/${path}`),
)
for (const path of code) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const isChecked = product.includes(path.split('/')[0])
  visit(source, (node) => {
    const text = textOf(node)
    if (text === undefined) return
    const place = `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
    if (/^[\w…-]+\/[\w…/-]+$/.test(text)) {
      named.push(patternOf(node))
      const full = fullNameOf(node)
      if (full && ![...statements.keys()].some((name) => full.test(name)))
        problems.push(`${place}: sql/ has no statement ${text}`)
    }
    if (isChecked && statement.test(text) && isTooLong(node, text))
      problems.push(`${place}: move this statement to a file in sql/`)
  })
}

for (const [name, text] of statements) {
  const [comment] = /^(--.*\n)*/.exec(text)
  if (!named.some((pattern) => pattern.test(name))) problems.push(`sql/${name}: nothing sends it`)
  if (comment === '') problems.push(`sql/${name}: begins without a comment`)
  for (const parameter of new Set(text.slice(comment.length).match(/\$\d+/g)))
    if (!new RegExp(`\\${parameter}(?!\\d)`).test(comment))
      problems.push(`sql/${name}: its comment does not name ${parameter}`)
}

for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

function listFiles(folder, pattern) {
  return readdirSync(folder, { recursive: true }).filter((path) => pattern.test(path))
}

function visit(node, look) {
  look(node)
  ts.forEachChild(node, (child) => visit(child, look))
}

/** The text of a string; … stands for a value in a template. */
function textOf(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
}

/** Finds the full name of the statement that a text names: with or without the engine and the folder. */
function patternOf(node) {
  return new RegExp(`(^|/queries/)${expressionOf(node)}$`)
}

/** The same for the text of a statement that is sent or loaded; undefined for other texts. */
function fullNameOf(node) {
  const { parent } = node
  if (!ts.isCallExpression(parent)) return undefined
  const callee = parent.expression.name?.text ?? parent.expression.text
  if (callee === 'loadSql') return new RegExp(`^${expressionOf(node)}$`)
  const [place, engine] = senders[callee] ?? []
  return parent.arguments[place] === node
    ? new RegExp(`^${engine}/queries/${expressionOf(node)}$`)
    : undefined
}

function expressionOf(node) {
  const parts = textOf(node).split('…')
  return parts.map((part) => part.replaceAll(/[.*+?^$()[\]{}|\\]/g, '\\$&')).join('.+')
}

/** The statements of a file of queries, each with its full name: a part begins with a line `-- name: NAME`. */
function partsOf(path) {
  const parts = readFileSync(`sql/${path}`, 'utf8').split(/^-- name: /m)
  if (parts[0] !== '') problems.push(`sql/${path}: begins without a name`)
  return parts.slice(1).map((part) => {
    const end = part.indexOf('\n')
    return [`${path.slice(0, -'.sql'.length)}/${part.slice(0, end)}`, part.slice(end + 1)]
  })
}

function isTooLong({ parent }, text) {
  const isJoined = ts.isBinaryExpression(parent) && parent.operatorToken.getText() === '+'
  return isJoined || text.length > longest || text.includes('\n')
}
