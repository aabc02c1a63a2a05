import {
  domainState,
  type FoundRecords,
  givenUpAt,
  judgeProof,
} from '../../core/status-pages/domain-proof.ts'
import type { ProofOutcome } from '../../core/status-pages/shown-page.ts'
import type { Query } from '../../postgres/database.ts'
import { type DomainRecord, findDomain, findHolder, lockDomain, noteLookUp, removeDomain } from './domains.ts'
import { pageChanged } from './pages.ts'

/**
 * Writes what a look-up found of a domain, in a transaction. A domain belongs to whoever controls its DNS now: it leaves
 * another page whose record is gone. The domain as it is then; null once it is removed.
 */
export async function settleProof(
  query: Query,
  { pageId, domain }: Pick<DomainRecord, 'pageId' | 'domain'>,
  found: FoundRecords,
  now: Date,
): Promise<{ outcome: ProofOutcome; domain: DomainRecord } | null> {
  await lockDomain(query, domain)
  const before = await findDomain(query, pageId, domain)
  if (!before) return null
  const holder = await findHolder(query, domain)
  const other = holder && holder.pageId !== pageId ? holder : null
  const outcome = judgeProof(found, before.proof, other?.proof ?? null)
  if (outcome === 'unanswered') return { outcome, domain: before }
  if (outcome === 'proved' && other) {
    await removeDomain(query, other)
    await pageChanged(query, other.teamId, other.pageId)
  }
  await noteLookUp(query, before, now, outcome === 'proved')
  const after = (await findDomain(query, pageId, domain)) as DomainRecord
  if (domainState(before) !== domainState(after)) await pageChanged(query, after.teamId, pageId)
  return { outcome, domain: after }
}

/** Removes a domain that was not proved in time. */
export async function giveUpDomain(query: Query, domain: DomainRecord, now: Date): Promise<boolean> {
  await lockDomain(query, domain.domain)
  const last = await findDomain(query, domain.pageId, domain.domain)
  if (!last || givenUpAt(last) > now) return false
  await removeDomain(query, last)
  await pageChanged(query, last.teamId, last.pageId)
  return true
}
