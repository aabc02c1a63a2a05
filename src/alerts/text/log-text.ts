import { mayBeCredential } from '../../core/teams/access.ts'
import { cut } from '../../core/text.ts'
import { oneLine } from './message.ts'

const MAX_DETAIL_CODE_POINTS = 500
const REDACTED = '********'
const MIN_PATH_LENGTH = 6

/** Text for the delivery log: one bounded line without secrets, even where a peer echoed them. */
export function logText(text: string, secrets: string[]): string {
  let clean = text
  for (const secret of secrets) {
    for (const form of [secret, encodeURIComponent(secret)]) {
      if (form) clean = clean.replaceAll(form, REDACTED)
    }
  }
  return cut(oneLine(clean), MAX_DETAIL_CODE_POINTS)
}

/**
 * The parts of a URL that may be credentials, as in the webhooks of chat services: everything after the host, and each
 * piece of it that is not a plain word, because receivers quote their URL in many ways.
 */
export function secretPath(url: string): string[] {
  const { pathname, search, searchParams } = new URL(url)
  const written = [...pathname.split('/'), ...search.split(/[?&=]/)]
  const pieces = [...written, ...searchParams.values()].flatMap(spellingsOf)
  return [
    ...[`${pathname}${search}`, pathname]
      .flatMap(spellingsOf)
      .filter((path) => path.length > MIN_PATH_LENGTH),
    ...pieces.filter(mayBeCredential).sort((a, b) => b.length - a.length),
  ]
}

/** The text as written in the URL and as a receiver decodes it. */
function spellingsOf(text: string): string[] {
  try {
    return [text, decodeURIComponent(text)]
  } catch {
    return [text]
  }
}
