const HTML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const
const SLACK = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const

/** For text and attribute values of HTML, one character at a time. */
export function escapeHtml(character: string): string {
  return HTML[character as keyof typeof HTML] ?? character
}

/** Slack's three; without its angle brackets `<!channel>`, `<@user>` and `<url|text>` are plain text. */
export function escapeSlack(character: string): string {
  return SLACK[character as keyof typeof SLACK] ?? character
}

/** Discord's Markdown. The escaped colon keeps addresses from becoming links whose escapes show. */
export function escapeDiscord(character: string): string {
  return /[\\*_~`|<>[\]()#@:]/.test(character) ? `\\${character}` : character
}

/** Telegram's HTML mode; the invisible word joiner after an `@` keeps a name from mentioning anybody. */
export function escapeTelegram(character: string): string {
  return character === '@' ? '@\u2060' : escapeSlack(character)
}
