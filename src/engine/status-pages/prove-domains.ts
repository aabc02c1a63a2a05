import { sizeOf } from '../../core/sharing/shared.ts'
import {
  type FoundRecords,
  givenUpAt,
  LOOK_AGAIN_AFTER_MS,
  PROVE_AGAIN_AFTER_MS,
  proofName,
} from '../../core/status-pages/domain-proof.ts'
import type { Database } from '../../postgres/database.ts'
import { giveUpDomain, settleProof } from '../../store/status-pages/domain-proofs.ts'
import { type DomainRecord, listDomainsToProve } from '../../store/status-pages/domains.ts'

/**
 * Looks for the records of own domains: of those that are not proved yet, and of proved ones once a week. A domain whose
 * record is gone is given up some days later. While no name server answers, what was proved stays.
 */
export async function* proveDomains({
  db,
  now,
  lookUpTxt,
  note,
}: {
  db: Database
  now: () => Date
  lookUpTxt: (name: string) => Promise<FoundRecords>
  note: (message: string) => void
}): AsyncGenerator<void> {
  const at = now()
  const before = (ms: number) => new Date(at.getTime() - ms)
  const due = await listDomainsToProve(
    db.query,
    { provedBefore: before(PROVE_AGAIN_AFTER_MS), lookedBefore: before(LOOK_AGAIN_AFTER_MS) },
    // At the same time: the others have to wait for a minute.
    sizeOf('domainProofs'),
  )
  await Promise.all(due.map(proveAgain))
  yield

  async function proveAgain(domain: DomainRecord): Promise<void> {
    const found = await lookUpTxt(proofName(domain.domain))
    const settled = await db.query.transaction().execute((query) => settleProof(query, domain, found, at))
    if (!settled || givenUpAt(settled.domain) > at) return
    if (settled.outcome === 'unanswered' && settled.domain.provedAt !== null) return
    const isGone = await db.query.transaction().execute((query) => giveUpDomain(query, settled.domain, at))
    if (isGone) note(`own domain given up, as its record is not there: ${domain.domain}`)
  }
}
