import type { AutopilotRefusal } from '../../contract/autopilot-kinds.ts'
import { exactly } from '../../contract/money.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { Vault } from '../../platform/security/vault.ts'
import type { Postgres, Session } from '../../platform/stores/postgres.ts'
import { sealedFor } from '../companion/outbox/write.ts'
import type { Change } from './adapter.ts'
import type { Judged } from './judge.ts'
import type { RuleInForce } from './rule.ts'

interface Mailing {
  vault: Vault
}

interface Mail {
  person: number
  recipient: string
  subject: string
  lines: readonly string[]
}

/** Refusals that end by themselves. */
const waits: ReadonlySet<AutopilotRefusal> = new Set([
  'quiet',
  'too_soon',
  'too_many',
  'not_seen_yet',
  'running_rental',
])

const usd = exactly(4)

/** Notifies the holders of rules about decisions: one mail for each person, in the transaction of the decisions. */
export async function mailDecisions(
  client: Session,
  mailing: Mailing,
  { spoken, stopped }: { spoken: readonly Judged[]; stopped: readonly { rule: RuleInForce; stop: string }[] },
): Promise<void> {
  const told = [
    ...spoken
      .filter(({ decision }) => !(decision.kind === 'refusal' && waits.has(decision.refusal)))
      .map((one) => ({ rule: one.rule, head: headOf(one), reason: one.decision.reason })),
    ...stopped.map(({ rule, stop }) => ({ rule, head: `${rule.name} has stopped`, reason: stop })),
  ].filter(({ rule }) => rule.recipient !== null)
  const mails = [...groupBy(told, ({ rule }) => rule.created_by)].map(([person, own]): Mail => {
    const [only] = own
    const subject = own.length === 1 && only ? only.head : `${own.length} decisions of the autopilot`
    const lines = own.flatMap(({ head, reason }) => [head, `  ${reason}`, ''])
    return { person, recipient: only?.rule.recipient ?? '', subject, lines }
  })
  await write(client, mailing, mails)
}

const stageWords = { suggest: 'suggests', dry_run: 'would set', live: 'sets' } as const

function headOf({ rule, of: { machine }, known, decision }: Judged): string {
  const name = `machine ${machine.id} (${machine.gpu_name})`
  if (decision.kind !== 'change') return `${rule.name}: ${name} is not changed`
  return `${rule.name} ${stageWords[rule.stage]} ${usd(decision.price)} instead of ${usd(known.price ?? 0)} for ${name}`
}

/** Notifies the holder of a rule that a change failed. */
export const mailFailure =
  ({ postgres, ...mailing }: Mailing & { postgres: Postgres }) =>
  async ({ id, machine_id, gpu_name, new_price }: Change, reason: string): Promise<void> => {
    const query = 'autopilot/recipient'
    const { rows } = await postgres.query<{ person: number; recipient: string }>(query, [id])
    const subject = `The price of machine ${machine_id} (${gpu_name}) was not set to ${usd(new_price)}`
    const lines = [subject, `  ${reason}.`, '']
    await write(
      postgres,
      mailing,
      rows.map((row) => ({ ...row, subject, lines })),
    )
  }

const end = 'You get this mail because a rule of yours sends mail. Change the rule to end that.'

async function write(client: Session, { vault }: Mailing, mails: readonly Mail[]): Promise<void> {
  if (mails.length === 0) return
  await client.query('alerts/mail', [
    mails.map(({ person }) => person),
    mails.map(({ recipient }) => recipient),
    mails.map(({ subject, lines }) =>
      vault.seal(
        JSON.stringify({ subject: `rackrate: ${subject}`, text: [...lines, end, ''].join('\n') }),
        sealedFor,
      ),
    ),
  ])
}
