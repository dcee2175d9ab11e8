// Checks that only the clocks read the time (docs/architecture.md, "Time"): product code has no `Date.now` and no `new Date()` without
// arguments, and its SQL has no now(). Also reports exceptions that are no longer needed. No arguments.
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const exceptions = {
  'cli/system-clock.ts': 'the clock of the process',
  'web/clock.ts': 'the clock of the page',
  'web/sql/panels/': 'statements that people run, for whom ClickHouse has a clock',
  'sql/postgres/migrations/043_schema.sql': 'the clock of all processes',
  'sql/postgres/queries/schema.sql': 'the ledger of migrations is older than the clock',
  'sql/postgres/queries/templates.sql': 'puts what one transaction adds in order',
  'sql/clickhouse/migrations/025_schema.sql': 'when an edition was made, which nothing compares',
  'sql/clickhouse/queries/schema.sql': 'ClickHouse keeps the row that is newest for it',
  'sql/clickhouse/queries/sql.sql': 'the days of a log of ClickHouse',
}

const product = [
  'cli',
  'workers',
  'src',
  'collect',
  'import',
  'simulate',
  'ingest',
  'platform',
  'estimates',
  'contract',
  'embedded',
  'web',
]
const sqlClock =
  /\b(now|now64|today|yesterday|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(|\b(current_(timestamp|date|time)|localtime(stamp)?)\b/i

const found = [
  ...product.flatMap((folder) => filesOf(folder, /\.tsx?$/).flatMap(inCode)),
  ...filesOf('sql', /\.sql$/).flatMap(inSql),
]
const problems = [
  ...found
    .filter(({ path }) => !Object.keys(exceptions).some((one) => path.startsWith(one)))
    .map(({ path, line, what }) => `${path}:${line}: ${what}`),
  ...Object.keys(exceptions)
    .filter((path) => !found.some((one) => one.path.startsWith(path)))
    .map((path) => `tools/check-clock.mjs: ${path} needs no exception`),
]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

function filesOf(folder, pattern) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => pattern.test(path))
    .map((path) => `${folder}/${path}`)
}

function inCode(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const lines = []
  const look = (node) => {
    const what = readsTime(node)
    if (what) lines.push({ path, what, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 })
    ts.forEachChild(node, look)
  }
  look(source)
  return lines
}

/** A hint for a node that reads the time; false for other nodes. */
function readsTime(node) {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
    return sqlClock.test(node.text) && 'ask rackrate_now(), or give ClickHouse the time as a parameter'
  const isDate = ({ expression }) => /^(globalThis\.)?Date$/.test(expression?.getText() ?? '')
  const isRead =
    (ts.isPropertyAccessExpression(node) && isDate(node) && node.name.text === 'now') ||
    (ts.isNewExpression(node) && isDate(node) && !node.arguments?.length) ||
    (ts.isCallExpression(node) && isDate(node))
  return isRead && 'take the time from a Clock; measure how long something takes with performance.now()'
}

function inSql(path) {
  const what = 'ask rackrate_now(), or take the time as a parameter in ClickHouse'
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text, index) =>
      sqlClock.test(text.replace(/--.*/, '')) ? [{ path, line: index + 1, what }] : [],
    )
}
