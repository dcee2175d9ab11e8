import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder that holds package.json. */
export const root = new URL('..', import.meta.url).pathname

export interface Page {
  /** Relative to the root. */
  path: string
  text: string
  /** The text without its fenced code blocks. */
  prose: string
}

const notOurs = /^(node_modules|dist|test-artefacts|\..*)$/

/** The paths of all files below a folder, except build output and packages. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (notOurs.test(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesIn(path) : [path]
  })

const readFiles = (pattern: RegExp): Omit<Page, 'prose'>[] =>
  filesIn(root)
    .filter((path) => pattern.test(path))
    .map((path) => ({ path: path.slice(root.length), text: readFileSync(path, 'utf8') }))

/** Every Markdown file of the repository. */
export const readPages = (): Page[] =>
  readFiles(/\.md$/).map((page) => ({ ...page, prose: page.text.replace(/^ *```.*?^ *```/gms, '') }))

/** Every file of code and of settings. */
export const readSources = () => readFiles(/\.(ts|tsx|mjs|sql|yml|xml|sh|css)$|Dockerfile$/)

/** The anchors of a page, as GitHub makes them from its headings. */
export const anchorsOf = ({ prose }: Page): string[] =>
  [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** The targets of a page's links and pictures that lie in the repository. */
export const linksOf = ({ prose }: Page): string[] =>
  [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))

/** Texts between backticks outside code blocks. */
export const codeSpansOf = ({ prose }: Page): string[] =>
  [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** The sentences of a page outside of tables, headings and code; a piece of code counts as one word. */
export function sentencesOf({ prose }: Page): string[] {
  const paragraphs = prose
    .replace(/<!--.*?-->/gs, '')
    .replace(/^(#|\s*\|).*$/gm, '')
    .replace(/`[^`]+`/g, 'code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
  return paragraphs.flatMap((paragraph) =>
    paragraph
      .replace(/^\s*(?:[-*]|\d+\.) /, '')
      .split(/(?<=[.!?][)”"*_]*)\s+/)
      .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
      .filter(Boolean),
  )
}

export const wordsOf = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
