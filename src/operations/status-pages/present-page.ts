import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { ofEachKind, type SubjectKind } from '../../core/maintenance/subject-kind.ts'
import { keysOf, pick } from '../../core/shape.ts'
import { domainState, givenUpAt, proofName } from '../../core/status-pages/domain-proof.ts'
import { arrange } from '../../core/status-pages/layout.ts'
import type { LogoType } from '../../core/status-pages/logo/logo.ts'
import { pageUrl, privateFeedsUrl } from '../../core/status-pages/page-address.ts'
import type {
  ShownComponent,
  ShownDomain,
  ShownLayout,
  StatusPageDetail,
  StatusPageRow,
} from '../../core/status-pages/shown-page.ts'
import { StatusPage } from '../../core/status-pages/status-page.ts'
import { seesSecrets } from '../../core/teams/access.ts'
import { readSecret } from '../../store/sealing/secret-addresses.ts'
import { type DomainRecord, listDomains } from '../../store/status-pages/domains.ts'
import { type ComponentRow, type GroupRow, readLayout } from '../../store/status-pages/layout.ts'
import { findPage, type PageRecord } from '../../store/status-pages/pages.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'

/** Everything about a page. */
export async function readPageDetail(
  services: Services,
  { teamId, role }: Actor,
  pageId: number,
): Promise<StatusPageDetail> {
  const { db, vault, siteUrl } = services
  const page = await findPage(db.query, teamId, pageId)
  if (!page) throw new Refusal('notFound')
  const { groups, components } = await readLayout(db.query, pageId)
  const domains = await listDomains(db.query, [pageId])
  const token =
    page.hasFeedToken && seesSecrets(role)
      ? await readSecret(db.query, vault, 'pageFeed', { teamId, id: pageId })
      : null
  const row = presentPageRow(siteUrl, page, components.length, domains)
  return {
    ...row,
    fields: settingsOf(page),
    layout: presentLayout(groups, components),
    domains: domains.map(presentDomain),
    has_password: page.hasPassword,
    logo: page.logoTag === null ? null : { type: page.logoType as LogoType, tag: page.logoTag },
    private_feeds: token && privateFeedsUrl(row.url, token),
  }
}

export function presentPageRow(
  siteUrl: string,
  page: PageRecord,
  componentCount: number,
  domains: DomainRecord[],
): StatusPageRow {
  const proved = domains.filter(({ provedAt }) => provedAt !== null).map(({ domain }) => domain)
  return {
    id: page.id,
    name: page.name,
    slug: page.slug,
    url: pageUrl(siteUrl, page, proved[0] ?? null),
    visibility: page.visibility,
    is_published: page.isPublished,
    component_count: componentCount,
    domains: proved,
    created_at: formatInstant(page.createdAt),
    updated_at: formatInstant(page.updatedAt),
  }
}

export function settingsOf(page: PageRecord): StatusPage {
  return pick<StatusPage, keyof StatusPage>(page, keysOf(StatusPage.shape))
}

export function presentDomain(domain: DomainRecord): ShownDomain {
  return {
    domain: domain.domain,
    state: domainState(domain),
    record_name: proofName(domain.domain),
    record_value: domain.proof,
    proved_at: formatInstantOrNull(domain.provedAt),
    looked_at: formatInstantOrNull(domain.lookedAt),
    given_up_at: formatInstant(givenUpAt(domain)),
  }
}

function presentLayout(groups: GroupRow[], components: ComponentRow[]): ShownLayout {
  return {
    items: arrange(groups, components).map((item) =>
      'component' in item
        ? { component: presentComponent(item.component) }
        : {
            group: {
              id: item.group.id,
              name: item.group.name,
              is_open: item.group.is_open,
              tags: item.group.tags,
              components: item.components.map(presentComponent),
            },
          },
    ),
  }
}

function presentComponent(row: ComponentRow): ShownComponent {
  const { group_id, position, subject_name, subject_deleted, ...component } = row
  const subjectOf = (kind: SubjectKind) => {
    const id = row[`${kind}_id`]
    return id === null ? null : { id, name: subject_name ?? '', is_deleted: subject_deleted === true }
  }
  return { ...component, ...ofEachKind(subjectOf) }
}
