import type { ChatService } from '../../../contract/chat-services.ts'

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

/** The body of the request that makes a chat service show a text, cut to the length that the service accepts. */
export const chatBodies: Record<ChatService, (text: string) => string> = {
  // A name in the text must not notify members: https://docs.discord.com/developers/resources/webhook#execute-webhook
  discord: (text) => JSON.stringify({ content: cut(text, 2000), allowed_mentions: { parse: [] } }),

  // `&`, `<` and `>` are its markup: https://docs.slack.dev/messaging/formatting-message-text
  slack: (text) =>
    JSON.stringify({
      text: cut(text, 30_000).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    }),

  // The chat is `chat_id` of the address: https://core.telegram.org/bots/api#sendmessage
  telegram: (text) => JSON.stringify({ text: cut(text, 4096) }),

  // At most 4,096 bytes of UTF-8: https://docs.ntfy.sh/publish
  ntfy: (text) => cut(text, 1300),
}
