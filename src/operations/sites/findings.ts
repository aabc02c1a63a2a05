import { Refusal } from '../../core/errors.ts'
import { fixedSince } from '../../core/history/history-span.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { MAX_DNS_SETS } from '../../core/sites/shown-site.ts'
import { MAX_FINDINGS_LISTED, type SiteFinding } from '../../core/sites/site-finding.ts'
import { type FindingRecord, findFinding, ignoreFinding, listFindings } from '../../store/sites/findings.ts'
import { listDnsSets } from '../../store/sites/shown-history.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'

export const listSiteFindings: Implementation<'listSiteFindings'> = {
  async perform({ db, databaseNow }, { actor: { teamId }, record }) {
    const which = { fixedSince: fixedSince(databaseNow()), limit: MAX_FINDINGS_LISTED }
    const findings = await listFindings(db.query, teamId, record.id, which)
    return { body: { data: findings.map(presentFinding) } }
  },
}

export const ignoreSiteFinding: Implementation<'ignoreSiteFinding'> = {
  async perform(services, { actor: { teamId }, record, body: { reason } }) {
    return change(services, teamId, record, { at: services.databaseNow(), reason })
  },
}

export const unignoreSiteFinding: Implementation<'unignoreSiteFinding'> = {
  async perform(services, { actor: { teamId }, record }) {
    return change(services, teamId, record, null)
  },
}

async function change(
  { db: { query } }: Services,
  teamId: number,
  { id }: FindingRecord,
  ignored: { at: Date; reason: string } | null,
) {
  if (!(await ignoreFinding(query, teamId, id, ignored))) throw new Refusal('notFound')
  const finding = await findFinding(query, teamId, id)
  if (!finding) throw new Refusal('notFound')
  return { body: { data: presentFinding(finding) } }
}

function presentFinding(finding: FindingRecord): SiteFinding {
  return {
    id: finding.id,
    area: finding.area,
    kind: finding.kind,
    address: finding.address,
    detail: finding.detail,
    sources: finding.sources,
    first_seen_at: formatInstant(finding.firstSeenAt),
    last_seen_at: formatInstant(finding.lastSeenAt),
    confirmed_at: formatInstantOrNull(finding.confirmedAt),
    fixed_at: formatInstantOrNull(finding.fixedAt),
    ignored_at: formatInstantOrNull(finding.ignoredAt),
    ignored_reason: finding.ignoredReason,
  }
}

export const listSiteDnsSets: Implementation<'listSiteDnsSets'> = {
  async perform({ db }, { actor: { teamId }, record }) {
    const sets = await listDnsSets(db.query, teamId, record.id, MAX_DNS_SETS)
    return {
      body: {
        data: sets.map(({ type, records, firstSeenAt, lastSeenAt }) => ({
          type,
          records,
          first_seen_at: formatInstant(firstSeenAt),
          last_seen_at: formatInstant(lastSeenAt),
        })),
      },
    }
  },
}
