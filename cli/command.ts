import type { Command } from 'commander'
import { codeOf, toError } from '../contract/failure.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { Config } from './config.ts'
import type { MarketStores, SiteStores } from './stores.ts'

// `rackrate --help` loads every command's definition. So the definitions import their implementation only when they run.

/** The arguments of a command's action. */
export interface Call<Options> {
  config: Config
  options: Options
  /** Positional arguments, in their order. */
  operands: string[]
}

/** Makes the action of a command: reads the configuration, and, if a collector is configured, sends traces while `run` runs. */
export const withConfig = <Options = object>(run: (call: Call<Options>) => Promise<void>) =>
  async function action(this: Command): Promise<void> {
    readEnvFile()
    const { readConfig } = await import('./config.ts')
    const config = readConfig()
    const tracing = config.tracesTo && (await traced(config.tracesTo, this))
    try {
      await run({ config, options: this.opts<Options & object>(), operands: this.args })
    } finally {
      if (tracing) await tracing.stop()
    }
  }

/** The same for a command that works on both databases, which are closed when it ends. */
export const withStores = <Options = object>(
  run: (call: Call<Options> & { stores: SiteStores }) => Promise<void>,
) =>
  withConfig<Options>(async (call) => {
    const { useStores } = await import('./stores.ts')
    await useStores(call.config, (stores) => run({ ...call, stores }))
  })

/** The same for a command that works on one market: the market of the source that `nameOf` finds in the options, otherwise the first. `site`: the main stores. */
export const withMarket = <Options = object>(
  run: (call: Call<Options> & { stores: MarketStores; site: SiteStores }) => Promise<void>,
  nameOf: (options: Options & { source?: string }) => string | undefined = ({ source }) => source,
) =>
  withStores<Options & { source?: string }>(async (call) => {
    const { inMarket } = await import('./markets.ts')
    await inMarket(call, nameOf(call.options), (stores) => run({ ...call, stores, site: call.stores }))
  })

/** Adds the variables of `.env` in the working directory, if there is one, to the environment. Variables that are set keep their values. */
function readEnvFile(): void {
  try {
    process.loadEnvFile()
  } catch (error) {
    const code = codeOf(error)
    const { message } = toError(error)
    if (code !== 'ENOENT') throw new UsageError(`Cannot read the file .env: ${message}`)
  }
}

async function traced(collector: string, command: Command) {
  const { startTracing } = await import('./tracing.ts')
  const group = command.parent?.parent ? `${command.parent.name()}-` : ''
  return startTracing(collector, `${group}${command.name()}`)
}
