// Checks the words of comments, descriptions, CLI help, errors, test titles and type names (CONTRIBUTING.md, "Language"). Prints file, line and rule.
// Arguments: folders to check. Default: every folder.
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const folders = [
  'bench',
  'cli',
  'client',
  'collect',
  'contract',
  'embedded',
  'estimates',
  'import',
  'ingest',
  'platform',
  'simulate',
  'sql',
  'src',
  'test',
  'tools',
  'web',
  'workers',
]
/** Generated files, and files that must not change: migrations are applied by their hash. */
const exempt = /^client\/schema\.ts$|^test\/fixtures\/|^sql\/\w+\/migrations\/|\/node_modules\//
const longestTitle = 90

const beginnings = {
  sentence: /^(What|How|Whether|Of|Those|Whose|Whoever|Who|Which|Hears|Says|Tells|Told|Said|Asked|But for)\b/,
  definition: /^(Is|Are|Was|Were|That|Else|Also)\b/,
  title: /^(that|of|by|with|from|and|or|but|also|those|what|how|whose|which)\b/i,
  /** A predicate, which needs a `describe` that names its subject: the log prints both. */
  predicate: /^(is|are|was|were|has|have|had|does|do|can|cannot|may|must)\b/i,
}
const words =
  /\b(so many|nobody|whoever|told|tells|said|says|saying|but for|(?:all|nothing|none|anything|everything) but|that of|those (?:of|that|with|in|who|whose|which|from|where|for|on|at|by))\b/gi
const typeNames = /^(Asked|Told|Made|Past|Turn|Known|Found|Given|Said|Kept|Seen|Wanted|Overtaken)$/

const paths = process.argv.length > 2 ? process.argv.slice(2).flatMap(filesIn) : heldFiles()
const problems = paths.flatMap((path) => checkFile(path, readFileSync(path, 'utf8')))
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

function heldFiles() {
  return folders.flatMap(filesIn).filter((path) => !exempt.test(path))
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => /\.(tsx?|mjs|sql|css)$/.test(path))
    .map((path) => `${folder}/${path}`)
}

function checkFile(path, text) {
  const texts = /\.(sql|css)$/.test(path) ? [...plainComments(path, text)] : [...codeTexts(path, text)]
  return texts.flatMap(({ kind, position, value }) => {
    const line = text.slice(0, position).split('\n').length
    return rulesBroken(kind, value).map((rule) => `${path}:${line}: ${rule}`)
  })
}

function rulesBroken(kind, value) {
  if (kind === 'type')
    return typeNames.test(value) ? [`type "${value}": name the value, e.g. Query or Rates`] : []
  const prose = value.replaceAll(/`[^`]*`/g, 'x').replaceAll(/"[^"]*"/g, 'x')
  const used = [...prose.matchAll(words)].map(
    ([word]) => `"${word}": use the field's term, or repeat the noun`,
  )
  if (kind === 'title' || kind === 'nested title')
    return [
      ...used,
      (beginnings.title.test(value) || (kind === 'title' && beginnings.predicate.test(value))) &&
        `title "${value}": begin with its subject`,
      value.length > longestTitle && `title of ${value.length} characters: at most ${longestTitle}`,
    ].filter(Boolean)
  const sentences = prose.split(/(?<=[.!?])\s+(?=[A-Z])/)
  const begun = sentences.filter(
    (sentence, index) =>
      beginnings.sentence.test(sentence) || (index === 0 && beginnings.definition.test(sentence)),
  )
  return [...used, ...begun.map((sentence) => `"${start(sentence)} …": begin with a noun or a verb`)]
}

function start(sentence) {
  return sentence.split(/\s+/, 4).join(' ')
}

/** Comments of SQL (`--`) and CSS. Lines of `--` that follow each other are one comment. */
function* plainComments(path, text) {
  const pattern = path.endsWith('.sql') ? /(?:^[ \t]*--.*\n?)+|--.*/gm : /\/\*.*?\*\//gs
  for (const { 0: comment, index } of text.matchAll(pattern))
    yield { position: index, value: proseOf(comment) }
}

function* codeTexts(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  for (const [position, end] of commentsOf(source))
    yield { position, value: proseOf(text.slice(position, end)) }
  yield* namedTexts(source, path)
}

/** Start and end of each comment. Lines of `//` that follow each other are one comment. */
function commentsOf(source) {
  const ranges = new Map()
  const add = ({ pos, end }) => ranges.set(pos, end)
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.JsxText) return
    ts.getLeadingCommentRanges(source.text, node.pos)?.forEach(add)
    ts.getTrailingCommentRanges(source.text, node.end)?.forEach(add)
    for (const child of node.getChildren(source)) visit(child)
  }
  visit(source)
  const comments = []
  for (const [pos, end] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = comments.at(-1)
    const isNext =
      last && source.text.startsWith('//', pos) && /^\n\s*$/.test(source.text.slice(last[1], pos))
    if (isNext) last[1] = end
    else comments.push([pos, end])
  }
  return comments
}

function proseOf(comment) {
  const lines = comment
    .split('\n')
    .map((line) => line.replace(/^\s*(\/\/|\/\*+|\*\/|\*|--)?\s?/, '').replace(/\*\/\s*$/, ''))
  return lines.join(' ').replaceAll(/\s+/g, ' ').trim()
}

/** Titles of tests, texts of descriptions, help and errors, and names of types. */
function* namedTexts(node, path) {
  if (ts.isCallExpression(node)) {
    const callee = node.expression.getText()
    const isTitle = /^(it|test|describe)\b/.test(callee) && path.includes('test')
    if (isTitle) yield* literal(node.arguments[0], isDescribed(node) ? 'nested title' : 'title')
    if (/\.(describe|description|option|argument|requiredOption)$/.test(callee))
      for (const argument of node.arguments) yield* literal(argument, 'text')
  }
  if (ts.isNewExpression(node) && node.expression.getText() === 'Option')
    yield* literal(node.arguments?.[1], 'text')
  if (ts.isNewExpression(node) && node.expression.getText().endsWith('Error'))
    for (const argument of node.arguments ?? []) yield* literal(argument, 'text')
  if (ts.isPropertyAssignment(node) && /^(description|summary)$/.test(node.name.getText()))
    yield* literal(node.initializer, 'text')
  if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node))
    yield { kind: 'type', position: node.name.getStart(), value: node.name.text }
  for (const child of childrenOf(node)) yield* namedTexts(child, path)
}

function isDescribed({ parent }) {
  if (!parent) return false
  return (
    (ts.isCallExpression(parent) && /^describe\b/.test(parent.expression.getText())) || isDescribed(parent)
  )
}

function* literal(node, kind) {
  if (!node) return
  const value = ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal: part }) => `…${part.text}`).join('')
    : ts.isStringLiteralLike(node) && node.text
  if (value) yield { kind, position: node.getStart(), value }
}

function childrenOf(node) {
  const children = []
  ts.forEachChild(node, (child) => {
    children.push(child)
  })
  return children
}
