import type { SiteEvent } from '../../core/alerting/alert.ts'
import type { News } from '../../core/live-event.ts'
import { maintenanceAt } from '../../core/maintenance/maintenance-at.ts'
import { MAX_BACK_MS } from '../../core/maintenance/team-cover.ts'
import { CRAWLED_AREAS, type SiteArea } from '../../core/sites/area.ts'
import type { AreaLook } from '../../core/sites/area-look.ts'
import type { AreaFindings, AreaNews } from '../../core/sites/crawl-digest.ts'
import { nextLookAt } from '../../core/sites/look-schedule.ts'
import { awaitSecondLook } from '../../core/sites/second-look.ts'
import { siteStatus } from '../../core/sites/site-status.ts'
import { type SiteStatusChange, statusChanges, watchedForMs } from '../../core/sites/site-time.ts'
import { judgeArea } from '../../core/sites/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import { insertStatusChanges, type StatusChange } from '../../store/history/status-time.ts'
import { announceSubjectNews } from '../../store/news.ts'
import { holdMemberships } from '../../store/probing/memberships.ts'
import {
  type AreaRow,
  type DnsSighting,
  holdSites,
  lockAreas,
  noteDnsSets,
  type OpenSiteIncident,
  readOpenIncidents,
  type SiteSubject,
  updateAreas,
} from '../../store/sites/recording.ts'
import { readLastChanges } from '../../store/sites/status-changes.ts'
import type { CoverOf, KnownWindows } from '../maintenance/known-windows.ts'
import { judgeLook } from './judge-look.ts'
import type { RecordedLook, SiteLookFinding } from './site-finding.ts'
import { tellCrawl, writeVerdict } from './write-verdict.ts'

/** Knowledge of the database about a batch; each look is judged by it as the ones before have changed it. */
type BatchKnowledge = {
  livingMemberships: Set<number>
  sites: Map<number, SiteSubject>
  /** The areas by site. */
  areas: Map<number, Map<SiteArea, AreaRow>>
  incidents: Map<string, OpenSiteIncident>
  /** The last change of status, by site. */
  changes: Map<number, SiteStatusChange>
  coverOf: CoverOf
}

const STALE: RecordedLook = { kind: 'stale' }

type Written = {
  areas: Map<string, AreaRow>
  news: News[]
  sightings: DnsSighting[]
  changedSets: Set<number>
  changes: StatusChange[]
}

/** Writes a batch over a pipelined connection. A look that an earlier try has written is stale. */
export async function recordLooks(
  client: Connection,
  findings: SiteLookFinding[],
  windows: KnownWindows,
): Promise<RecordedLook[]> {
  const known = await readKnowledge(client, findings, windows)
  const written: Written = { areas: new Map(), news: [], sightings: [], changedSets: new Set(), changes: [] }
  const recorded: RecordedLook[] = []
  for (const finding of findings) {
    recorded.push(await recordLook(client, finding, known, written))
  }
  await write(client, written)
  return recorded
}

async function readKnowledge(
  client: Connection,
  findings: SiteLookFinding[],
  windows: KnownWindows,
): Promise<BatchKnowledge> {
  const ids = [...new Set(findings.map(({ siteId }) => siteId))].toSorted((a, b) => a - b)
  const memberships = [...new Set(findings.flatMap(({ membership }) => membership ?? []))]
  // Memberships come first: a statement that ends one must not wait for one that waits for a site.
  const [livingMemberships, sites, locked, open, changes] = await Promise.all([
    memberships.length > 0 ? holdMemberships(client, memberships) : new Set<number>(),
    holdSites(client, ids),
    lockAreas(client, ids),
    readOpenIncidents(client, ids),
    readLastChanges(client, ids),
  ])
  const bySite = Map.groupBy(locked, ({ siteId }) => siteId)
  return {
    livingMemberships,
    sites: new Map(sites.map((site) => [site.siteId, site])),
    areas: new Map(
      [...bySite].map(([siteId, rows]) => [siteId, new Map(rows.map((row) => [row.area, row]))]),
    ),
    incidents: new Map(open.map((incident) => [keyOf(incident), incident])),
    changes,
    coverOf: await readCovers(client, sites, findings, windows),
  }
}

/** Most batches have nothing to read: few teams have windows. */
async function readCovers(
  client: Connection,
  sites: SiteSubject[],
  findings: SiteLookFinding[],
  windows: KnownWindows,
): Promise<CoverOf> {
  const planned = sites.filter(({ maintenanceRevision }) => maintenanceRevision > 0)
  const [first] = planned
  if (!first) return () => null
  const ids = planned.map(({ siteId }) => siteId)
  const oldestMs = Math.min(...findings.map(({ lookedAt }) => lookedAt.getTime()))
  const from = new Date(Math.max(oldestMs, first.readAt.getTime() - MAX_BACK_MS))
  return windows.read(client, 'site', ids, from)
}

async function recordLook(
  client: Connection,
  finding: SiteLookFinding,
  known: BatchKnowledge,
  written: Written,
): Promise<RecordedLook> {
  const { siteId, membership, lookedAt, revision, found } = finding
  const site = known.sites.get(siteId)
  const areas = known.areas.get(siteId)
  const scheduled = areas?.get(found.area)
  if (!site || !areas || !scheduled || site.revision !== revision) return STALE
  if (membership !== null && !known.livingMemberships.has(membership)) return STALE
  if (scheduled.lookedAt && scheduled.lookedAt >= lookedAt) return STALE

  const statusBefore = siteStatus([...areas.values()], site.areasOff, site.readAt).status
  const watchedUntil = watchedUntilOf(site, [...areas.values()])
  const { looked, sightings, hasNewSets } = await judgeLook(client, finding, site, scheduled)
  let isNews = false
  const ofCrawl: AreaNews[] = []
  for (const [area, look] of looked) {
    const before = areas.get(area)
    if (!before || site.areasOff.includes(area)) continue
    const judged = await judgeAndWrite(client, { site, before, found: look, at: lookedAt }, known)
    const { after } = judged
    ofCrawl.push(...judged.news)
    areas.set(area, after)
    written.areas.set(keyOf(after), after)
    isNews ||=
      judged.isTold ||
      after.status !== before.status ||
      after.cause !== before.cause ||
      after.doubt?.cause !== before.doubt?.cause
  }
  await tellCrawl(client, site, ofCrawl, toldOf(areas), lookedAt)
  reschedule(areas, scheduled.area, looked.get(scheduled.area)?.status ?? 'pending', site, written)
  written.sightings.push(...sightings)
  if (hasNewSets) written.changedSets.add(siteId)
  const { status } = siteStatus([...areas.values()], site.areasOff, site.readAt)
  for (const change of statusChanges(known.changes.get(siteId) ?? null, {
    status,
    at: lookedAt,
    watchedUntil,
  })) {
    known.changes.set(siteId, change)
    written.changes.push({ subjectId: siteId, ...change })
  }
  if (isNews || status !== statusBefore)
    written.news.push({ team_id: site.teamId, event: 'site', data: { id: siteId, status } })
  const counted = [...looked].filter(([area]) => !site.areasOff.includes(area))
  return { kind: 'recorded', areas: counted.map(([area, look]) => ({ area, status: look.status })) }
}

/** Until when the looks that are recorded say that somebody watches the site; null before the first. */
function watchedUntilOf(site: SiteSubject, areas: AreaRow[]): Date | null {
  const looks = areas.flatMap(({ lookedAt }) => lookedAt?.getTime() ?? [])
  return looks.length === 0 ? null : new Date(Math.max(...looks) + watchedForMs(site))
}

async function judgeAndWrite(
  client: Connection,
  { site, before, found, at }: { site: SiteSubject; before: AreaRow; found: AreaLook<object>; at: Date },
  known: BatchKnowledge,
): Promise<{ after: AreaRow; news: AreaNews[]; isTold: boolean }> {
  const key = keyOf(before)
  const open = known.incidents.get(key) ?? null
  const standing = { ...before, hasOpenIncident: open !== null }
  const { look, doubt } = awaitSecondLook(standing, found, at)
  const verdict = judgeArea(standing, {
    ...look,
    at,
    maintenance: maintenanceAt(known.coverOf(site.siteId), site.siteId, at, before),
    isSnoozed: before.snoozedUntil !== null && before.snoozedUntil > site.readAt,
  })
  const still = toldOf(known.areas.get(site.siteId) ?? new Map()).filter((area) => area !== before.area)
  const since = before.statusSince
  // All areas of a crawl are told together.
  const isOfCrawl = (CRAWLED_AREAS as readonly SiteArea[]).includes(before.area)
  const events = isOfCrawl ? [] : verdict.events
  const told = { site, area: before.area, open, since, still, at }
  const current = await writeVerdict(client, { ...verdict, events }, told)
  if (current) known.incidents.set(key, current)
  else known.incidents.delete(key)
  const { status, statusSince, cause } = verdict
  const memory = look.memory as Record<string, unknown>
  // An area of which nothing is known this time keeps its cause.
  const causeReasons = cause === look.cause ? (look.causeReasons ?? null) : before.causeReasons
  return {
    after: {
      ...before,
      status,
      statusSince,
      cause,
      causeReasons,
      told: verdict.told,
      doubt,
      lookedAt: at,
      memory,
    },
    // The end of a window begins an incident of trouble that stands for long.
    isTold: verdict.events.length > 0,
    news: isOfCrawl ? verdict.events.map((event) => newsOf(event, before, found.findings)) : [],
  }
}

/** Once it is over, the trouble as a whole says more than how much of it was new. */
function newsOf(
  { event, cause }: { event: SiteEvent; cause: string },
  before: AreaRow,
  findings: AreaFindings | undefined,
): AreaNews {
  const was = event === 'site.recovery' ? (before.cause ?? cause) : cause
  return { area: before.area, event, cause: was, since: before.statusSince, findings: findings ?? null }
}

/** Areas that contacts know to be in trouble. */
function toldOf(areas: Map<SiteArea, AreaRow>): SiteArea[] {
  return [...areas.values()].filter(({ told }) => told !== null).map(({ area }) => area)
}

/** The area with the schedule is looked at again even if it was not judged; what a crawl finds besides goes by its time. */
function reschedule(
  areas: Map<SiteArea, AreaRow>,
  scheduled: SiteArea,
  found: AreaLook<object>['status'],
  site: SiteSubject,
  written: Written,
): void {
  const looked = areas.get(scheduled)
  if (!looked) return
  const at = nextLookAt(site, scheduled, { ...looked, found }, site.readAt)
  for (const area of scheduled === 'links' ? CRAWLED_AREAS : [scheduled]) {
    const row = areas.get(area)
    if (!row) continue
    const after = { ...row, nextLookAt: at }
    areas.set(area, after)
    written.areas.set(keyOf(after), after)
  }
}

/** Statements are sent together; when one fails, the transaction does. */
async function write(
  client: Connection,
  { areas, news, sightings, changedSets, changes }: Written,
): Promise<void> {
  await Promise.all([
    areas.size > 0 && updateAreas(client, [...areas.values()]),
    sightings.length > 0 && noteDnsSets(client, lastOfEach(sightings), [...changedSets]),
    changes.length > 0 && insertStatusChanges(client, 'site', changes),
    news.length > 0 && announceSubjectNews(client, news),
  ])
}

/** One statement cannot write a row twice. */
function lastOfEach(sightings: DnsSighting[]): DnsSighting[] {
  const key = ({ siteId, type, records }: DnsSighting) => JSON.stringify([siteId, type, records])
  return [...new Map(sightings.map((sighting) => [key(sighting), sighting])).values()]
}

function keyOf({ siteId, area }: { siteId: number; area: SiteArea }): string {
  return `${siteId} ${area}`
}
