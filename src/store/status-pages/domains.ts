import { sql } from 'kysely'
import type { DomainTimes } from '../../core/status-pages/domain-proof.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'

/** An own domain. `provedAt`: when its record was last seen; `lookedAt`: when it was last looked for and answered. */
export type DomainRecord = DomainTimes & { domain: string; pageId: number; teamId: number; proof: string }

function selectDomains(query: Query) {
  return query
    .selectFrom('status_domains')
    .select(['domain', 'page_id as pageId', 'team_id as teamId', 'proof'])
    .select(['proved_at as provedAt', 'looked_at as lookedAt', 'created_at as createdAt'])
}

/** The oldest first. */
export async function listDomains(query: Query, pageIds: number[]): Promise<DomainRecord[]> {
  return selectDomains(query)
    .where('page_id', '=', anyOf(pageIds))
    .orderBy('created_at')
    .orderBy('domain')
    .execute()
}

export async function countDomains(query: Query, teamId: number): Promise<number> {
  const { count } = await query
    .selectFrom('status_domains')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return count
}

export async function findDomain(query: Query, pageId: number, domain: string): Promise<DomainRecord | null> {
  const found = await selectDomains(query)
    .where('page_id', '=', pageId)
    .where('domain', '=', domain)
    .executeTakeFirst()
  return found ?? null
}

/** Arbitrary, but different from our other advisory locks. */
const LOCK = 5_190_723

/** Lets nobody else settle whose a domain is until the transaction ends. */
export async function lockDomain(query: Query, domain: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK}::int, hashtext(${domain}))`.execute(query)
}

/** The page that has a domain. */
export async function findHolder(query: Query, domain: string): Promise<DomainRecord | null> {
  const holder = await selectDomains(query)
    .where('domain', '=', domain)
    .where('proved_at', 'is not', null)
    .executeTakeFirst()
  return holder ?? null
}

export async function insertDomain(
  query: Query,
  domain: Pick<DomainRecord, 'domain' | 'pageId' | 'teamId' | 'proof'>,
  now: Date,
): Promise<void> {
  await query
    .insertInto('status_domains')
    .values({
      domain: domain.domain,
      page_id: domain.pageId,
      team_id: domain.teamId,
      proof: domain.proof,
      proved_at: null,
      looked_at: null,
      created_at: now,
    })
    .execute()
}

/** Writes what a look-up at `now` found. False if the domain is gone. */
export async function noteLookUp(
  query: Query,
  { pageId, domain }: Pick<DomainRecord, 'pageId' | 'domain'>,
  now: Date,
  isProved: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('status_domains')
    .set({ looked_at: now, ...(isProved && { proved_at: now }) })
    .where('page_id', '=', pageId)
    .where('domain', '=', domain)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function removeDomain(
  query: Query,
  { pageId, domain }: Pick<DomainRecord, 'pageId' | 'domain'>,
): Promise<boolean> {
  const { numDeletedRows } = await query
    .deleteFrom('status_domains')
    .where('page_id', '=', pageId)
    .where('domain', '=', domain)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Up to `limit` domains to look up: last proved before `provedBefore`, and not looked up since `lookedBefore`. */
export async function listDomainsToProve(
  query: Query,
  { provedBefore, lookedBefore }: { provedBefore: Date; lookedBefore: Date },
  limit: number,
): Promise<DomainRecord[]> {
  return (
    selectDomains(query)
      .where((eb) => eb.or([eb('proved_at', 'is', null), eb('proved_at', '<', provedBefore)]))
      .where((eb) => eb.or([eb('looked_at', 'is', null), eb('looked_at', '<', lookedBefore)]))
      // Those that no name server answers about must not keep the others waiting, nor those of a team with many.
      .orderBy(sql`row_number() OVER (PARTITION BY team_id ORDER BY random())`)
      .orderBy(sql`random()`)
      .limit(limit)
      .execute()
  )
}
