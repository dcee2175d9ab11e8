import type { Command } from 'commander'
import type { ListedImport } from '../../import/identity.ts'
import { timeText } from '../../ingest/problems.ts'
import { withMarket } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'
import { marketOption } from '../source-options.ts'
import { table } from '../table.ts'

export function imports(program: Command) {
  const command = program
    .command('imports')
    .description('list the files that were imported, and remove one')
    .addOption(marketOption)
    .addOption(jsonOption)
    .action(
      withMarket<JsonOption>(async ({ options, stores }) => {
        const { listImports } = await import('../../import/identity.ts')
        const found = await listImports(stores)
        print(options, { imports: found }, listText(found))
      }),
    )

  command
    .command('remove <id>')
    .description('remove the rows of an import, and compute everything that was derived from them again')
    .addOption(marketOption)
    .addOption(jsonOption)
    .action(
      withMarket<JsonOption>(async ({ operands: [id = ''], options, stores }) => {
        const { findImport, listImports } = await import('../../import/identity.ts')
        const { removeImport } = await import('../../import/remove-import.ts')
        const found = await findImport(stores, id)
        await removeImport(stores, found)
        const later = (await listImports(stores)).filter(({ source }) => source === found.source)
        const again =
          later.length > 0
            ? ` Rows that later files repeated are gone, too. To add them again, import: ${later.map((one) => one.file ?? one.id).join(', ')}`
            : ''
        print(options, { removed: id }, `Import ${id} is removed.${again}`)
      }),
    )
}

const time = (seconds: number | null) => (seconds === null ? '-' : timeText(seconds))
const count = (rows: number | null) => (rows === null ? '-' : `${rows}`)

function listText(found: readonly ListedImport[]): string {
  if (found.length === 0) return 'Nothing was imported.'
  const heads = ['id', 'source', 'file', 'format', 'imported', 'rows', 'left out', 'from', 'to', 'sha256']
  const rows = found.map((one) => [
    one.id,
    one.source,
    one.file ?? '-',
    one.format ?? '-',
    time(one.imported_at),
    one.rows === null ? 'being moved' : `${one.rows}`,
    count(one.left_out),
    time(one.from_slot),
    time(one.to_slot),
    one.content_hash?.slice(0, 12) ?? '-',
  ])
  return [table(heads, rows), ...found.filter(({ left_out }) => left_out).map(leftOutText)].join('\n')
}

function leftOutText({ id, left_out, left_out_rows }: ListedImport): string {
  const more = (left_out ?? 0) - left_out_rows.length
  const rows = left_out_rows.map(({ line, reason }) => `  line ${line}: ${reason}`)
  return [`Left out of ${id}:`, ...rows, ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n')
}
