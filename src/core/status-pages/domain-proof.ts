import { DAY_MS } from '../history/history-span.ts'
import type { DomainState, ProofOutcome } from './shown-page.ts'

/** One that is not proved within this time is given up, so that nobody can keep a domain from its owner. */
export const PROVE_WITHIN_MS = 7 * DAY_MS
/** A proved domain is looked up again after this time. */
export const PROVE_AGAIN_AFTER_MS = 7 * DAY_MS
/** One whose record is gone is served for this long after it was last seen. */
export const LOST_AFTER_MS = 2 * PROVE_AGAIN_AFTER_MS
/** A look-up that found nothing is repeated after this time. */
export const LOOK_AGAIN_AFTER_MS = DAY_MS / 24

/** `provedAt`: when the record was last seen. */
export type DomainTimes = { createdAt: Date; provedAt: Date | null; lookedAt: Date | null }

export function proofName(domain: string): string {
  return `_upbeat-status.${domain}`
}

/** TXT values at the name of the record; null if no name server answered, which says nothing. */
export type FoundRecords = string[] | null

/** `holder`: the record's value of the page that has the domain, if another has it. */
export function judgeProof(found: FoundRecords, proof: string, holder: string | null): ProofOutcome {
  if (found === null) return 'unanswered'
  if (!found.includes(proof)) return 'missing'
  return holder !== null && found.includes(holder) ? 'contested' : 'proved'
}

export function domainState({ provedAt, lookedAt }: DomainTimes): DomainState {
  if (provedAt === null) return 'unproved'
  return lookedAt !== null && lookedAt > provedAt ? 'lost' : 'proved'
}

export function givenUpAt({ createdAt, provedAt }: DomainTimes): Date {
  return provedAt === null
    ? new Date(createdAt.getTime() + PROVE_WITHIN_MS)
    : new Date(provedAt.getTime() + LOST_AFTER_MS)
}
