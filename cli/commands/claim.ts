import { type Command, Option } from 'commander'
import { keyCanDoMore } from '../../contract/claim-words.ts'
import type { Claim } from '../../contract/claims.ts'
import { UsageError } from '../../platform/usage-error.ts'
import { type Call, withStores } from '../command.ts'
import { keyIn } from '../key-file.ts'
import { machineIds } from '../option-values.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'
import { marketOption } from '../source-options.ts'
import type { SiteStores } from '../stores.ts'

interface ClaimOptions extends JsonOption {
  source?: string
  host?: number[]
  machine?: number[]
  remove?: boolean
  keyFile?: string
  forgetKey?: boolean
  account?: string
}

export const claim = (program: Command) =>
  program
    .command('claim')
    .description('claim machines of a source as your own; without ids, list the claims')
    .addOption(marketOption)
    .option('--host <id...>', 'host ids in the source, to claim all of their machines', machineIds)
    .option('--machine <id...>', 'machine ids of the source', machineIds)
    .option('--remove', 'drop the claim of these ids; without ids, of everything in the source')
    .addOption(
      new Option(
        '--key-file <file>',
        'file with the API key of the host at the marketplace, which proves the claim; the key is stored encrypted',
      ).conflicts(['remove', 'forgetKey']),
    )
    .option('--forget-key', 'delete the key and the data that was read with it')
    .option('--account <id or address>', 'the account that claims (default: the only host of the site)')
    .addOption(jsonOption)
    .action(withStores<ClaimOptions>(changeClaim))

async function changeClaim(call: Call<ClaimOptions> & { stores: SiteStores }): Promise<void> {
  const { listSources } = await import('../../collect/sources.ts')
  const { accountNamed } = await import('../../src/hosts/claims/account-named.ts')
  const { claimsOf } = await import('../../src/hosts/claims/stored.ts')
  const { options, stores } = call
  const { host: hosts = [], machine: machines = [], remove = false, source: asked } = options
  const sources = await listSources(stores.postgres)
  if (sources.length === 0)
    throw new UsageError(
      'This site has no source, so there is nothing to claim: its machines belong to its accounts.',
    )
  const account = await accountNamed(stores.postgres, options.account)
  const key = options.forgetKey ? null : options.keyFile === undefined ? undefined : keyIn(options.keyFile)
  const isChange = remove || key !== undefined || hosts.length + machines.length > 0
  const names = isChange
    ? [asked ?? sources.find(({ is_first }) => is_first)?.name ?? '']
    : (await claimsOf(stores.postgres, account.id))
        .map(({ source }) => source)
        .filter((name) => asked === undefined || name === asked)
  const claims: Claim[] = []
  for (const name of names) {
    const made = await claimIn(call, account.id, { name, hosts, machines, remove, key })
    if (made) claims.push(made)
  }
  const lines = claims.map(textOf)
  const whose = `Account ${account.id} (${account.name})`
  print(
    options,
    { account: account.id, claims },
    lines.length > 0 ? [`${whose} claims:`, ...lines].join('\n') : `${whose} claims no machines.`,
  )
}

interface Change {
  name: string
  hosts: number[]
  machines: number[]
  remove: boolean
  key: string | null | undefined
}

/** The resulting claim of an account on a source; undefined: none. */
async function claimIn(
  call: Call<ClaimOptions> & { stores: SiteStores },
  accountId: number,
  change: Change,
): Promise<Claim | undefined> {
  const { changedClaim } = await import('../../src/hosts/claims/changed-claim.ts')
  const { inMarket } = await import('../markets.ts')
  return inMarket(call, change.name, (market) => changedClaim(call.stores, market, accountId, change))
}

function textOf({ source, hosts, machines, taken, proven, proof }: Claim): string {
  const ids = [
    hosts.length > 0 && `hosts ${hosts.join(', ')}`,
    machines.length > 0 && `machines ${machines.join(', ')}`,
  ]
  const types = taken.gpu_types.map(
    ({ gpu_name, machines: count, gpus }) => `${gpu_name}: ${count} (${gpus} GPUs)`,
  )
  const seen = `${taken.machines} machines in the last 30 days${types.length > 0 ? `: ${types.join(', ')}` : ''}`
  const proofs = [
    proven ? 'Proven by the key of the host.' : 'Unproven: the claim was not checked.',
    proof?.problem,
    proof?.can_do_more && keyCanDoMore,
  ]
  return `  ${source}: ${ids.filter(Boolean).join(' and ')}. ${seen}. ${proofs.filter(Boolean).join(' ')}`
}
