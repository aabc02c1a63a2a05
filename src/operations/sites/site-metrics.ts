import { gauge, labelsOf, type MetricFamily, type MetricSample } from '../../core/exposition.ts'
import { CheckStatus, passes, SAYS_NOTHING } from '../../core/monitors/check.ts'
import { LiveStatus } from '../../core/monitors/status.ts'
import { tagLabels } from '../../core/tags/tag-labels.ts'
import type { Database } from '../../postgres/database.ts'
import {
  type CrawlCounts,
  countCrawled,
  type MeasuredSite,
  readMeasuredSites,
} from '../../store/sites/measured-sites.ts'
import { countSites } from '../../store/sites/sites.ts'

/** Reports the sites with the smallest ids; `upbeat_team_sites` gives the total. */
const MAX_SITES = 1_000
/** A crawl has thousands of addresses, and is counted once. */
const MAX_CRAWLS_KEPT = 10_000

/** A team's sites as Prometheus metrics. */
export type ReadSiteFamilies = (teamId: number) => Promise<MetricFamily[]>

export function createSiteMetrics(db: Database): ReadSiteFamilies {
  const kept = new Map<number, CrawlCounts>()

  async function countsOf(sites: MeasuredSite[]): Promise<Map<number, CrawlCounts>> {
    const ids = sites.flatMap(({ crawl }) => crawl?.id ?? [])
    const counted = await countCrawled(
      db,
      ids.filter((id) => !kept.has(id)),
    )
    if (kept.size + counted.size > MAX_CRAWLS_KEPT) kept.clear()
    for (const [id, counts] of counted) kept.set(id, counts)
    return kept
  }

  return async (teamId) => {
    const sites = await readMeasuredSites(db, teamId, MAX_SITES)
    const total = sites.length < MAX_SITES ? sites.length : await countSites(db.query, teamId)
    const counts = await countsOf(sites)
    const measured = sites.map((site) => ({
      ...site,
      counts: (site.crawl && counts.get(site.crawl.id)) ?? null,
      labels: labelsOf({ id: site.id, name: site.name, ...tagLabels(site.tags) }),
    }))
    return [gauge('upbeat_team_sites', 'Sites of the team.', total), ...familiesOf(measured)]
  }
}

type Measured = MeasuredSite & { counts: CrawlCounts | null; labels: string }

function familiesOf(sites: Measured[]): MetricFamily[] {
  const family = (name: string, help: string, samples: (site: Measured) => MetricSample[]): MetricFamily => ({
    ...{ name, help, type: 'gauge' },
    samples: sites.flatMap(samples),
  })
  return [
    ...GAUGES.map(({ name, help, read }) =>
      family(name, help, (site) => {
        const value = read(site)
        return value === null ? [] : [{ labels: site.labels, value }]
      }),
    ),
    family(
      'upbeat_site_status',
      'Whether this is the status of the site: 1 for one of them.',
      ({ status, labels }) =>
        LiveStatus.options.map((option) => ({
          labels: `${labels},status="${option}"`,
          value: Number(option === status),
        })),
    ),
    family(
      'upbeat_site_area_status',
      'Whether this is the status of the area of the site: 1 for one of them.',
      ({ areas, labels }) =>
        areas.flatMap(({ area, status }) =>
          CheckStatus.options.map((option) => ({
            labels: `${labels},area="${area}",status="${option}"`,
            value: Number(option === status),
          })),
        ),
    ),
    family(
      'upbeat_site_last_look_timestamp_seconds',
      'When the area of the site was last looked at, in Unix time.',
      ({ areas, labels }) =>
        areas.flatMap(({ area, lookedAt }) =>
          lookedAt === null
            ? []
            : [{ labels: `${labels},area="${area}"`, value: Date.parse(lookedAt) / 1_000 }],
        ),
    ),
  ]
}

/** Each gives one series per site that has a value. */
const GAUGES: { name: string; help: string; read: (site: Measured) => number | null }[] = [
  {
    name: 'upbeat_site_up',
    help: 'Whether the site is up or degraded; absent while it is pending, in trouble under maintenance or paused.',
    read: ({ status }) =>
      status === 'paused' || SAYS_NOTHING.includes(status) ? null : Number(passes(status)),
  },
  {
    name: 'upbeat_site_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of the site expires, in Unix time.',
    read: ({ certificateExpiresAt }) => certificateExpiresAt && certificateExpiresAt.getTime() / 1_000,
  },
  {
    name: 'upbeat_site_domain_expiry_timestamp_seconds',
    help: 'When the registration of the domain ends, in Unix time; absent where it is not known.',
    read: ({ domainExpiresAt }) => domainExpiresAt && domainExpiresAt.getTime() / 1_000,
  },
  {
    name: 'upbeat_site_broken_links',
    help: 'Links that were broken in two crawls, and are not ignored.',
    read: ({ brokenLinks }) => brokenLinks,
  },
  {
    name: 'upbeat_site_crawl_pages',
    help: 'Pages that the newest crawl has looked at.',
    read: ({ counts }) => counts?.pages ?? null,
  },
  {
    name: 'upbeat_site_crawl_links',
    help: 'Other addresses that the newest crawl has looked at.',
    read: ({ counts }) => counts?.links ?? null,
  },
  {
    name: 'upbeat_site_crawl_duration_seconds',
    help: 'How long the newest crawl took.',
    read: ({ crawl }) => crawl && (Date.parse(crawl.endedAt) - Date.parse(crawl.startedAt)) / 1_000,
  },
  {
    name: 'upbeat_site_crawl_end_timestamp_seconds',
    help: 'When the newest crawl ended, in Unix time.',
    read: ({ crawl }) => crawl && Date.parse(crawl.endedAt) / 1_000,
  },
]
