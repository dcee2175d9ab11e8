import { pages } from '../../contract/pages.ts'
import { linesOf, type RuleText } from './message-text.ts'

/** The mail to a person with the messages of rules at a slot. */
export function mailOf(
  said: readonly RuleText[],
  slot: number,
  publicUrl: string | undefined,
): { subject: string; text: string } {
  const entries = said.flatMap((one) => one.entries)
  const [only] = entries
  const subject =
    entries.length === 1 && only ? `rackrate: ${only.text}` : `rackrate: ${entries.length} alerts`
  const time = new Date(slot * 1000).toISOString().slice(0, 16).replace('T', ' ')
  const lines = said.flatMap((rule) => [...linesOf(rule), ''])
  const where = publicUrl === undefined ? 'on the page “Alerts”' : `at ${publicUrl}${pages.alerts}`
  const end = `You receive this mail because your alert rules send mail. Change, silence or delete them ${where}.`
  return { subject, text: [`Market snapshot of ${time} UTC`, '', ...lines, end, ''].join('\n') }
}
