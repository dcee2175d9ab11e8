import { type Command, Option } from 'commander'
import type { OfficialState } from '../../collect/read-official.ts'
import type { newestCoverage, SiteSource } from '../../collect/site-source.ts'
import type { CheckedDays } from '../../ingest/check-in-turn.ts'
import { type CheckResult, timeText } from '../../ingest/problems.ts'
import { withMarket } from '../command.ts'
import { duration } from '../option-values.ts'
import { jsonOption, leftOutNames, print } from '../output.ts'
import { fromOption, type RangeOptions, toOption } from '../range-options.ts'
import { marketOption } from '../source-options.ts'

type Coverage = NonNullable<Awaited<ReturnType<typeof newestCoverage>>>

interface CheckOptions extends RangeOptions {
  source?: string
  /** Seconds. */
  for?: number
}

type Checked = CheckResult & { checked_days?: CheckedDays }

const forOption = new Option(
  '--for <duration>',
  'check for so long, such as 10m: first the days that changed since their last check, then the others in turn',
).argParser(duration)

export const check = (program: Command) =>
  program
    .command('check')
    .description('verify every derived row against the observations, and that each slot is stored once')
    .addOption(fromOption)
    .addOption(toOption)
    .addOption(forOption)
    .addOption(marketOption)
    .addOption(jsonOption)
    .action(
      withMarket<CheckOptions>(async ({ options, stores, site }) => {
        const { officialState } = await import('../../collect/read-official.ts')
        const { newestCoverage, siteSource } = await import('../../collect/site-source.ts')
        const { check } = await import('../../ingest/check.ts')
        const { checkInTurn } = await import('../../ingest/check-in-turn.ts')
        const { checkCatalogs } = await import('../../ingest/read-catalogs.ts')
        const { reportLongProgress } = await import('../progress.ts')
        const { rangeToCheck } = await import('../../ingest/requested-range.ts')
        const range = await rangeToCheck(stores, options)
        const result: Checked =
          options.for === undefined
            ? await check(stores, range, { onProgress: reportLongProgress('check') })
            : await checkInTurn(stores, range, endsAfter(options.for))
        const ok = result.problems.length === 0 && !result.checked_days?.with_problems
        const source = await siteSource(stores.postgres)
        if (source?.problem)
          console.error(`${source.source} gave no market ${source.failures} times: ${source.problem}`)
        if (source) for (const line of leftOutLines(source)) console.error(line)
        const official = await officialState(site.postgres, stores.postgres, options.source)
        if (official) for (const line of officialLines(official)) console.error(line)
        const coverage = await newestCoverage(stores.postgres)
        if (coverage) console.error(coverageText(coverage))
        const catalogs = await checkCatalogs(stores)
        for (const { catalog, provider, failures, problem } of catalogs.failing)
          console.error(`${catalog} gave no prices of ${provider} ${failures} times: ${problem}`)
        const unknown = catalogs.unmapped.map(({ listed_name }) => listed_name)
        const names = [...new Set(unknown)].join(', ')
        if (names) console.error(`Clouds offer GPUs whose names do not identify a type: ${names}`)
        const found = {
          ok,
          ...result,
          ...(source && { source }),
          ...(coverage && { coverage }),
          ...(official && { official }),
          catalogs,
        }
        print(options, found, textOf(result, options.source))
        if (!ok) process.exitCode = 1
      }),
    )

function endsAfter(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000
  return () => performance.now() > end
}

/** Parts of the newest answer of a source that were left out. */
function leftOutLines({ source, left_out }: SiteSource): string[] {
  const counts = Object.entries(left_out?.reasons ?? {}).map(([reason, count]) => `${count}: ${reason}`)
  if (counts.length === 0) return []
  const rows = left_out?.rows.map(({ place, reason }) => `  ${place}: ${reason}`) ?? []
  return [`Left out of the newest answer of ${source}: ${counts.join('; ')}.`, ...rows]
}

/** The official server, and the time of which it was read. */
function officialLines({ url, first, last, failures, problem, left_out }: OfficialState): string[] {
  const range =
    first === null || last === null
      ? 'nothing was read yet'
      : `read from ${timeText(first)} to ${timeText(last)}`
  return [
    `Official aggregates of ${url === '' ? 'a server that is no longer read' : url}: ${range}.`,
    ...(problem === null ? [] : [`They could not be read ${failures} times: ${problem}`]),
    ...leftOutNames(left_out),
  ]
}

/** The coverage of the newest slot, and its offers by state. */
function coverageText({ share, machines, carried, states, problem, official }: Coverage): string {
  const counts = Object.entries(states).map(([state, count]) => `${state}: ${count}`)
  const figures = `The newest slot has ${Math.round(100 * share)} % of the market: ${machines} machines, ${carried} of them as they were seen before.`
  const beside = official
    ? [
        `It has ${official.seen} of the ${official.gpus} GPUs of the official counts (${Math.round(100 * official.share)} %).`,
      ]
    : []
  return [figures, ...beside, `Offers: ${counts.join('; ')}.`, ...(problem === null ? [] : [problem])].join(
    ' ',
  )
}

/** One paragraph for each problem, with the command that fixes it in the checked market. */
function textOf({ problems, not_checked, checked_days }: Checked, source: string | undefined): string {
  const market = source === undefined ? '' : ` --source ${source}`
  const found = problems.map(({ problem, fix }) => `${problem}\n  Run: ${fix}${market}`)
  const left = not_checked.map(({ reason }) => `Not checked: ${reason}`)
  const days = checked_days ? [checkedText(checked_days)] : []
  return [...(found.length > 0 ? found : ['No problems found.']), ...left, ...days].join('\n')
}

function checkedText({ days, checked, in_part, with_problems, oldest }: CheckedDays): string {
  const share = `Days without problems since their rows last changed: ${checked} of ${days}`
  const part = in_part > 0 ? `, ${in_part} of them only in part` : ''
  const problems = with_problems > 0 ? ` Days with problems: ${with_problems}.` : ''
  const time =
    oldest === null ? '' : ` The oldest of these checks was at ${new Date(oldest * 1000).toISOString()}.`
  return `${share}${part}.${problems}${time}`
}
