import { keysOf } from './records.ts'

/** The chat services that receive alerts as text, each with the beginning of the addresses that it gives out. */
export const chatServices = {
  discord: { title: 'Discord', address: 'https://discord.com/api/webhooks/' },
  slack: { title: 'Slack', address: 'https://hooks.slack.com/services/' },
  telegram: { title: 'Telegram', address: 'https://api.telegram.org/bot' },
  ntfy: { title: 'ntfy', address: 'https://ntfy.sh/' },
} as const
export type ChatService = keyof typeof chatServices

const names = keysOf(chatServices)

/** The chat service of a webhook's address; undefined: the receiver is a program, which gets signed JSON. */
export const chatServiceOf = (url: string): ChatService | undefined =>
  names.find((name) => url.startsWith(chatServices[name].address))

/** The titles of all chat services: `Discord, Slack, Telegram or ntfy`. */
export const chatTitles = new Intl.ListFormat('en', { type: 'disjunction', style: 'narrow' }).format(
  names.map((name) => chatServices[name].title),
)
