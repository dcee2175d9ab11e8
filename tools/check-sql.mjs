// Checks the place of SQL (CONTRIBUTING.md): a statement in TypeScript is one string on one line, at most 110 characters; a longer one is a
// file in sql/, with a comment on top that names its parameters. Also reports files that nothing loads, and names without a file. No
// arguments.
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

const problems = []
/** One regular expression for each text in the code that can be the name of a file. */
const loaded = []
const files = listFiles('sql', /^(postgres|clickhouse)\/(queries|accounts)\/.*\.sql$/).map((path) =>
  path.slice(0, -'.sql'.length),
)

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
    if (/^(postgres|clickhouse)\//.test(text)) {
      loaded.push(patternOf(node))
      if (isLoaded(node) && !files.some((file) => patternOf(node).test(file)))
        problems.push(`${place}: there is no sql/${text}.sql`)
    }
    if (isChecked && statement.test(text) && isTooLong(node, text))
      problems.push(`${place}: move this statement to a file in sql/`)
  })
}

for (const file of files) {
  const text = readFileSync(`sql/${file}.sql`, 'utf8')
  const [comment] = /^(--.*\n)*/.exec(text)
  if (!loaded.some((pattern) => pattern.test(file))) problems.push(`sql/${file}.sql: nothing loads it`)
  if (comment === '') problems.push(`sql/${file}.sql: begins without a comment`)
  for (const parameter of new Set(text.slice(comment.length).match(/\$\d+/g)))
    if (!new RegExp(`\\${parameter}(?!\\d)`).test(comment))
      problems.push(`sql/${file}.sql: its comment does not name ${parameter}`)
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

function patternOf(node) {
  const parts = textOf(node).split('…')
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^$()[\]{}|\\]/g, '\\$&')).join('.+')}$`)
}

function isLoaded({ parent }) {
  return ts.isCallExpression(parent) && parent.expression.getText() === 'loadSql'
}

function isTooLong({ parent }, text) {
  const isJoined = ts.isBinaryExpression(parent) && parent.operatorToken.getText() === '+'
  return isJoined || text.length > longest || text.includes('\n')
}
