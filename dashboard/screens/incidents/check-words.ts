import { CHECK_WORDS } from '../../../src/core/monitors/incidents/incident-markdown.ts'
import { t } from '../../language/language.ts'
import { sayMs } from '../../parts/figures.ts'

/** `Check passed in 120 ms from eu-west`, with as much as is known. */
export function sayCheck({
  status,
  ms,
  region = null,
}: {
  status: keyof typeof CHECK_WORDS
  ms: number | null
  region?: string | null
}): string {
  const word = t(CHECK_WORDS[status])
  const timed = ms === null ? word : t('{check} in {time}', { check: word, time: sayMs(ms) })
  return region === null ? timed : t('{check} from {region}', { check: timed, region })
}
