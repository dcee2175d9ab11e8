// Fails when test/flaky.md has an entry that is older than 14 days: find its reason, fix it, and remove the entry. No arguments.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const longestDays = 14
const text = readFileSync(join(import.meta.dirname, '../test/flaky.md'), 'utf8')
for (const [line, date] of text.matchAll(/^\| (\d{4}-\d\d-\d\d) \|.*$/gm)) {
  if (Date.now() - Date.parse(date) <= longestDays * 86_400_000) continue
  console.error(`test/flaky.md: older than ${longestDays} days: ${line}`)
  process.exitCode = 1
}
