import { CertificateMemory, judgeCertificate } from '../../core/sites/certificate.ts'
import { type DnsMemory, DnsMemory as DnsMemorySchema, judgeDns } from '../../core/sites/dns/judge-dns.ts'
import { DomainMemory, judgeDomain } from '../../core/sites/domain/expiry.ts'
import { judgeHomePage } from '../../core/sites/home-page.ts'
import type { Connection } from '../../postgres/database.ts'
import type { AreaRow, DnsSighting, SiteSubject } from '../../store/sites/recording.ts'
import type { LookedAreas, SiteLookFinding } from './site-finding.ts'

export type Judged = { looked: LookedAreas; sightings: DnsSighting[]; hasNewSets: boolean }

/** Judges what was found by the pure function of its area and by what the last look left. */
export async function judgeLook(
  client: Connection,
  { found, lookedAt }: SiteLookFinding,
  site: SiteSubject,
  before: AreaRow,
): Promise<Judged> {
  const nothing = { sightings: [], hasNewSets: false }
  switch (found.area) {
    case 'home_page':
      return { ...nothing, looked: new Map([[found.area, judgeHomePage(found.looks, before.memory)]]) }
    case 'certificate': {
      const memory = CertificateMemory.catch(CertificateMemory.parse({})).parse(before.memory)
      return { ...nothing, looked: new Map([[found.area, judgeCertificate(found.look, memory, lookedAt)]]) }
    }
    case 'dns': {
      const memory = DnsMemorySchema.catch(DnsMemorySchema.parse({})).parse(before.memory)
      const { changes, ...look } = judgeDns(found.host, found.look, memory, lookedAt)
      const isSeen = found.look.kind === 'answered'
      return {
        looked: new Map([[found.area, look]]),
        sightings: isSeen ? sightingsOf(site.siteId, look.memory, lookedAt) : [],
        hasNewSets: changes.length > 0,
      }
    }
    case 'domain': {
      const memory = DomainMemory.catch(DomainMemory.parse({})).parse(before.memory)
      const { domain, registration } = found
      const byHand = site.domainExpiresOn
      const asked = { domain: domain ?? new URL(site.url).hostname, registration, byHand }
      return { ...nothing, looked: new Map([[found.area, judgeDomain(asked, memory, lookedAt)]]) }
    }
    case 'links':
      return { ...nothing, looked: new Map(Object.entries(await found.review(client))) as LookedAreas }
  }
}

function sightingsOf(siteId: number, { sets }: DnsMemory, at: Date): DnsSighting[] {
  return Object.entries(sets).map(([type, records]) => ({ siteId, type, records: records ?? [], at }))
}
