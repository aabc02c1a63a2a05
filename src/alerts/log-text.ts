import { cut } from '../core/text.ts'
import { oneLine } from './message.ts'

const DETAIL_MAX_CODE_POINTS = 500
const REDACTED = '********'

/** Text for the delivery log: one bounded line in which no secret stands, however a peer echoed it. */
export function logText(text: string, secrets: string[]): string {
  let clean = text
  for (const secret of secrets) {
    for (const form of [secret, encodeURIComponent(secret)]) {
      if (form) clean = clean.replaceAll(form, REDACTED)
    }
  }
  return cut(oneLine(clean), DETAIL_MAX_CODE_POINTS)
}

/** The part of an address that is its credential, as in the webhooks of chat services. */
export function secretPath(url: string): string[] {
  const { pathname, search } = new URL(url)
  return [`${pathname}${search}`, pathname].filter((path) => path.length > 1)
}
