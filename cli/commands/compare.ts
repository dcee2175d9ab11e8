import { type Command, InvalidArgumentError } from 'commander'
import { hour } from '../../contract/durations.ts'
import { withConfig } from '../command.ts'
import type { Difference } from '../compare-histories.ts'
import { seconds } from '../option-values.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'
import type { RangeOptions } from '../range-options.ts'

interface CompareOptions extends JsonOption, RangeOptions {
  with: string
  key?: string
  gpu?: string
  filter?: string[]
  step: number
  within: number
  source?: string
}

const patienceMs = 90_000
const most = 20
const usualFilters = ['verified=all', 'verified=yes', 'verified=no']

const numberOf = (least: number, greatest: number) => (text: string) => {
  const value = Number(text)
  if (!(value >= least && value <= greatest))
    throw new InvalidArgumentError(`must be a number from ${least} to ${greatest}.`)
  return value
}

export const compare = (program: Command) =>
  program
    .command('compare')
    .description(
      'compare the history of the API at RACKRATE_URL with another server of the same contract; exits with 1 when a figure differs by more than --within',
    )
    .requiredOption('--with <url>', 'the other server')
    .option('--key <key>', 'an API key of the other server (default: RACKRATE_KEY)')
    .option('--gpu <names>', `GPU names, separated by commas (default: the ${most} with the most GPUs here)`)
    .option(
      '--filter <query>',
      'a filter of the history, as in verified=yes&num_gpus=8; can be repeated (default: each choice of verified)',
      (text: string, before: string[] = []) => [...before, text],
    )
    .option('--from <time>', 'unix seconds (default: 24 buckets, at least a day, before --to)', seconds)
    .option('--to <time>', 'unix seconds (default: now, in whole buckets)', seconds)
    .option('--step <seconds>', 'seconds of a bucket', numberOf(60, 31_536_000), hour)
    .option('--within <percent>', 'the largest difference to ignore', numberOf(0, 100), 1)
    .option('--source <name>', 'the source whose market to use here (default: the first)')
    .addOption(jsonOption)
    .action(
      withConfig<CompareOptions>(async ({ config, options }) => {
        const { agrees, compareHistories, explain } = await import('../compare-histories.ts')
        const { historyAnswer } = await import('../../contract/history.ts')
        const { namesAnswer } = await import('../../contract/names.ts')
        const { systemClock } = await import('../system-clock.ts')
        const { UsageError } = await import('../../platform/usage-error.ts')
        const { apiUrl = 'http://127.0.0.1:8080', apiKey } = config
        if (!apiKey) throw new UsageError('RACKRATE_KEY must be an API key.')
        if (!/^https?:/.test(options.with) || !URL.canParse(options.with))
          throw new UsageError('--with must be a URL such as https://api.example.com')
        const own = { url: apiUrl, key: apiKey, source: options.source }
        const other = { url: options.with, key: options.key ?? apiKey, source: undefined }

        const { step } = options
        const to = options.to ?? Math.floor(systemClock.now() / step) * step
        const from = options.from ?? to - 24 * Math.max(step, hour)
        let names = options.gpu?.split(',').map((name) => name.trim().replaceAll('_', ' '))
        if (!names) {
          const known = namesAnswer.parse(await ask(own, 'names', {})).names
          names = known
            .sort((one, two) => two.gpus - one.gpus)
            .slice(0, most)
            .map(({ name }) => name)
        }
        if (names.length === 0) throw new UsageError('There is no GPU here yet.')
        const differences: Difference[] = []
        for (const filter of options.filter ?? usualFilters) {
          // Both ends of the range are inclusive, and buckets are whole.
          const range = { start: `${from}`, end: `${to - 1}`, step: `${step}` }
          const question = {
            ...Object.fromEntries(new URLSearchParams(filter)),
            gpu_name: names.join(),
            ...range,
          }
          const [here, there] = await Promise.all(
            [own, other].map(async (server) => {
              const read = historyAnswer.safeParse(await ask(server, 'history', question))
              if (read.success) return read.data
              const [issue] = read.error.issues
              throw new Error(
                `${server.url} does not answer as the contract requires: ${issue?.path.join('.')}: ${issue?.message}`,
              )
            }),
          )
          if (here && there) differences.push(...compareHistories(names, filter, { here, there }))
        }
        const within = options.within / 100
        const ok = differences.every((one) => agrees(one, within))
        const hints = explain(differences, within)
        const compared = differences.reduce((sum, { buckets }) => sum + buckets, 0)
        const result = { ok, from, to, step, within, compared, differences, hints }
        print(options, result, textOf(result, agrees))
        if (!ok || compared === 0) process.exitCode = 1
      }),
    )

interface Server {
  url: string
  key: string
  source: string | undefined
}

async function ask(
  { url, key, source }: Server,
  endpoint: string,
  question: Record<string, string>,
): Promise<unknown> {
  const query = new URLSearchParams({ ...question, ...(source !== undefined && { source }) })
  const address = `${url.replace(/\/+$/, '')}/api/v0/metrics/gpu/${endpoint}?${query}`
  const signal = AbortSignal.timeout(patienceMs)
  const response = await fetch(address, { headers: { authorization: `Bearer ${key}` }, signal }).catch(
    (error: Error) => {
      throw new Error(
        `${url} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
      )
    },
  )
  const body = await response.text()
  if (!response.ok) throw new Error(`${url} answered with status ${response.status}: ${body.slice(0, 200)}`)
  try {
    return JSON.parse(body)
  } catch {
    throw new Error(`${url} does not answer with JSON. It begins with: ${body.slice(0, 100)}`)
  }
}

interface Result {
  within: number
  compared: number
  differences: readonly Difference[]
  hints: readonly string[]
}

function textOf(
  { within, compared, differences, hints }: Result,
  agrees: (one: Difference, within: number) => boolean,
): string {
  const percent = (share: number | null) => (share === null ? '–' : `${(share * 100).toFixed(2)} %`)
  const lines = differences
    .filter((one) => !agrees(one, within))
    .map(
      ({ gpu_name, filter, figure, buckets, equal, typical, largest, bias, only_here, only_there }) =>
        `${gpu_name}, ${filter}, ${figure}: ${equal} of ${buckets} equal, median difference ${percent(typical)} (bias ${percent(bias)}), largest ${percent(largest)}; only here ${only_here}, only there ${only_there}`,
    )
  const summary =
    compared === 0
      ? 'No bucket has figures on both sides, so nothing was compared.'
      : `${differences.length} figures in ${compared} values compared: ${lines.length} differ by more than ${percent(within)}.`
  return [...lines, summary, ...hints.map((hint) => `- ${hint}`)].join('\n')
}
