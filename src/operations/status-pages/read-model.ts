import { windowStart } from '../../core/history/history-span.ts'
import { shownTexts } from '../../core/language/hidden-characters.ts'
import { type KeptWindow, LOOK_BACK_MS } from '../../core/maintenance/kept-window.ts'
import { promisedOfEachKind, type SubjectKind } from '../../core/maintenance/subject-kind.ts'
import { type TeamCover, teamCover } from '../../core/maintenance/team-cover.ts'
import { judgedWindows } from '../../core/maintenance/window-record.ts'
import { saidStates } from '../../core/status-pages/component-history.ts'
import { type ComponentState, worstState } from '../../core/status-pages/component-state.ts'
import { subjectOf } from '../../core/status-pages/component-subject.ts'
import { arrange } from '../../core/status-pages/layout.ts'
import { pageUrl } from '../../core/status-pages/page-address.ts'
import type { PageItem, PageModel, PageMonth, PagePost } from '../../core/status-pages/page-model.ts'
import { inOrder, plannedByPosts, plannedByWindows } from '../../core/status-pages/planned-maintenance.ts'
import { isOver } from '../../core/status-pages/post.ts'
import { pageState } from '../../core/status-pages/post-tone.ts'
import { listKept } from '../../store/maintenance/occurrences.ts'
import { listWindows } from '../../store/maintenance/windows.ts'
import { listDomains } from '../../store/status-pages/domains.ts'
import { type PageRecord, readPage } from '../../store/status-pages/pages.ts'
import {
  findPublishedPost,
  listPostsOfRange,
  listPostsSince,
} from '../../store/status-pages/published-posts.ts'
import { readShownComponents } from '../../store/status-pages/shown-components.ts'
import { STORED_KINDS } from '../../store/stored-kinds.ts'
import type { Services } from '../services.ts'
import { createChartReader } from './charts.ts'
import { NO_DRAFT, type PageDraft, readDraftRows, readRows } from './page-rows.ts'
import { firstDayOf, presentComponent } from './present-component.ts'
import { settingsOf } from './present-page.ts'
import { presentPost } from './present-posts.ts'

/** Posts that are over are on the page for so long. */
const RECENT_DAYS = 14
/** Posts that a page or one of its months is made from. */
const MAX_POSTS = 500

/** Reads what visitors see. Whether they may see it is decided elsewhere: a page that is not published is read, too. */
export type PageReader = {
  /** The page with everything at this instant, or as it would be with changes; null once it is deleted. */
  readModel(pageId: number, draft?: PageDraft): Promise<PageModel | null>
  /** Posts that began in the month of UTC that begins then. */
  readMonth(pageId: number, month: Date): Promise<PageMonth>
  /** Null for a draft, and for a post of another page. */
  readPost(pageId: number, postId: number): Promise<PagePost | null>
}

export function createPageReader(services: Pick<Services, 'db' | 'siteUrl' | 'databaseNow'>): PageReader {
  const { db, databaseNow } = services
  const readCharts = createChartReader(db)

  async function readModel(pageId: number, draft: PageDraft = NO_DRAFT): Promise<PageModel | null> {
    const saved = await readPage(db.query, pageId)
    if (!saved) return null
    const page = { ...saved, ...(draft.settings as Partial<PageRecord>) }
    const now = databaseNow()
    const since = windowStart(Math.max(page.days, RECENT_DAYS), now) as Date
    const recentSince = windowStart(RECENT_DAYS, now) as Date
    const [domains, { groups, rows }, posts, windows] = await Promise.all([
      listDomains(db.query, [pageId]),
      draft.layout ? readDraftRows(db.query, page, draft.layout, now) : readRows(db.query, pageId, now),
      listPostsSince(db.query, pageId, since, recentSince, MAX_POSTS),
      readWindows(page.teamId, now),
    ])
    const idsOf = (kind: SubjectKind, shown: 'shows_uptime' | 'shows_chart') => [
      ...new Set(rows.flatMap((row) => (row[shown] ? (row[`${kind}_id`] ?? []) : []))),
    ]
    const firstDay = firstDayOf(page.days, now)
    const readTimes = (kind: SubjectKind) =>
      STORED_KINDS[kind].readDayTimes(db, idsOf(kind, 'shows_uptime'), firstDay, now)
    const [dayTimes, charts] = await Promise.all([
      promisedOfEachKind(readTimes),
      readCharts(pageId, idsOf('monitor', 'shows_chart'), now),
    ])
    const cover = coverOf(windows.filter(({ window }) => window.shows_on_pages))
    const said = saidStates(posts, now)
    const covers = { cover, wholeCover: coverOf(windows) }
    const context = { days: page.days, now, posts, dayTimes, charts, ...covers, said }
    const items: PageItem[] = arrange(groups, rows).map((item) => {
      if ('component' in item) return { component: presentComponent(item.component, context) }
      const components = item.components.map((row) => presentComponent(row, context))
      const { id, name, is_open: isOpen, created_at: createdAt } = item.group
      return { group: { id, name, isOpen, state: stateOf(components), components, createdAt } }
    })
    const components = items.flatMap((item) => ('group' in item ? item.group.components : item.component))
    const names = namesOf(rows)
    const shown = posts
      .filter(({ phase, resolvedAt }) => !isOver(phase) || (resolvedAt !== null && resolvedAt >= recentSince))
      .map((post) => presentPost(post, names))
    const active = shown.filter(({ phase }) => !isOver(phase))
    const subjects = rows.map((row) => ({ id: row.id, name: row.name, subject: subjectOf(row) }))
    const { networks, posts: _posts, template_id, ...settings } = settingsOf(page)
    const proved = domains.find(({ provedAt }) => provedAt !== null)
    return shownTexts({
      id: page.id,
      settings,
      url: pageUrl(services.siteUrl, page, proved?.domain ?? null),
      logoTag: page.logoTag,
      createdAt: page.createdAt,
      updatedAt: latest([page, ...components, ...posts].map(({ updatedAt }) => updatedAt)),
      asOf: now,
      state: pageState(
        components.map(({ state }) => state),
        active,
      ),
      items,
      active,
      planned: inOrder([...plannedByPosts(active), ...plannedByWindows(windows, subjects, posts, now)]),
      recent: shown.filter(({ phase }) => isOver(phase)),
    })
  }

  async function readWindows(teamId: number, now: Date): Promise<KeptWindow[]> {
    const windows = await listWindows(db.query, teamId)
    if (windows.length === 0) return []
    const kept = await listKept(db.query, teamId, new Date(now.getTime() - LOOK_BACK_MS))
    const keptOf = Map.groupBy(kept, ({ windowId }) => windowId)
    return windows.map((window) => ({ window, kept: keptOf.get(window.id) ?? [] }))
  }

  async function readNames(pageId: number): Promise<Map<number, string>> {
    return namesOf(await readShownComponents(db.query, pageId, databaseNow()))
  }

  return {
    readModel,
    async readMonth(pageId, month) {
      const to = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1))
      const posts = await listPostsOfRange(db.query, pageId, { from: month, to }, MAX_POSTS)
      const names = posts.length === 0 ? new Map() : await readNames(pageId)
      return { month, posts: posts.map((post) => shownTexts(presentPost(post, names))) }
    },
    async readPost(pageId, postId) {
      const post = await findPublishedPost(db.query, pageId, postId)
      return post && shownTexts(presentPost(post, await readNames(pageId)))
    },
  }
}

function coverOf(windows: readonly KeptWindow[]): TeamCover {
  return teamCover(
    judgedWindows(
      windows.map(({ window }) => window),
      windows.flatMap(({ kept }) => kept),
    ),
  )
}

function namesOf(rows: readonly { id: number; name: string }[]): Map<number, string> {
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function stateOf(components: readonly { state: ComponentState }[]): ComponentState {
  return worstState(components.map(({ state }) => state))
}

function latest(times: Date[]): Date {
  return new Date(Math.max(...times.map((time) => time.getTime())))
}
