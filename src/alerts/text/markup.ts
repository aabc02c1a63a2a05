const HTML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const
const SLACK = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const

/** Escapes one character for text and attribute values of HTML. */
export function escapeHtml(character: string): string {
  return HTML[character as keyof typeof HTML] ?? character
}

/**
 * Slack's three special characters; without angle brackets, `<!channel>`, `<@user>` and `<url|text>` are plain text.
 */
export function escapeSlack(character: string): string {
  return SLACK[character as keyof typeof SLACK] ?? character
}

/** Escapes Discord's Markdown. An escaped colon keeps URLs from becoming links that show their escapes. */
export function escapeDiscord(character: string): string {
  return /[\\*_~`|<>[\]()#@:]/.test(character) ? `\\${character}` : character
}

/** Telegram's HTML mode; the invisible word joiner after an `@` prevents mentions. */
export function escapeTelegram(character: string): string {
  return character === '@' ? '@\u2060' : escapeSlack(character)
}

/** Google Chat's text has no escapes. An invisible word joiner after `<` prevents mentions and links. */
export function escapeGoogleChat(character: string): string {
  return character === '<' ? '<\u2060' : character
}

/** Mattermost's Markdown, by character references, which are no markup in any of its apps. */
export function escapeMattermost(character: string): string {
  return /[\\`*_{}[\]()#|<>~@:$&]/.test(character) ? `&#${character.charCodeAt(0)};` : character
}

/** Notifications show references as they are. In a headline colons are common: they get a word joiner instead. */
export function escapeMattermostTitle(character: string): string {
  return /[:@]/.test(character) ? `${character}\u2060` : escapeMattermost(character)
}
