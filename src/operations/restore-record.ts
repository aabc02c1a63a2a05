import { Refusal } from '../core/errors.ts'
import { type KeptKind, keptSince } from '../core/history/kept-record.ts'
import { said } from '../core/language/said.ts'
import { MAX_WINDOWS } from '../core/maintenance/window.ts'
import { MAX_POLICIES } from '../core/on-call/policy.ts'
import { MAX_SCHEDULES } from '../core/on-call/schedule.ts'
import { MAX_REPORTS } from '../core/reports/report.ts'
import { MAX_TEMPLATES, MAX_UPDATES_OF_POST } from '../core/status-pages/post.ts'
import type { Query } from '../postgres/database.ts'
import { isTaken } from '../postgres/sql-states.ts'
import { countRecords, putBack, takeKept } from '../store/deleted-records.ts'
import { windowsChanged } from '../store/maintenance/windows.ts'
import { announceNews } from '../store/news.ts'
import { lockPage, pageChanged } from '../store/status-pages/pages.ts'
import { findPost } from '../store/status-pages/posts.ts'
import { countUpdates, findUpdate } from '../store/status-pages/updates.ts'
import { settlePost } from '../store/status-pages/written-posts.ts'
import { lockTeam } from '../store/teams/teams.ts'
import type { Implementation } from './implementation.ts'
import type { Services } from './services.ts'
import { refuseOverPages } from './status-pages/change-page.ts'

type Place = { teamId: number; id: number }

/** How many a team may have; another one may have been created in the place of the deleted one. */
const MOST: Partial<Record<KeptKind, number>> = {
  EscalationPolicy: MAX_POLICIES,
  MaintenanceWindow: MAX_WINDOWS,
  Report: MAX_REPORTS,
  Schedule: MAX_SCHEDULES,
  StatusTemplate: MAX_TEMPLATES,
}

const tell =
  (event: 'contacts' | 'on_call' | 'status_pages' | 'team') =>
  (query: Query, { teamId }: Place) =>
    announceNews(query, { team_id: teamId, event, data: {} })

/** Tells open pages and processes that the record is there again. */
const TELL: Record<KeptKind, (query: Query, place: Place) => Promise<void>> = {
  Contact: tell('contacts'),
  EscalationPolicy: tell('on_call'),
  MaintenanceWindow: (query, { teamId }) => windowsChanged(query, teamId),
  Report: tell('team'),
  Schedule: tell('on_call'),
  ScheduleOverride: tell('on_call'),
  StatusPage: (query, { teamId, id }) => pageChanged(query, teamId, id),
  async StatusPost(query, { teamId, id }) {
    const post = await findPost(query, teamId, id)
    if (post) await pageChanged(query, teamId, post.pageId)
  },
  StatusTemplate: tell('status_pages'),
  StatusUpdate: takeBackUpdate,
}

/** Its post says again what it said with the update. Others may have been added meanwhile. */
async function takeBackUpdate(query: Query, { teamId, id }: Place): Promise<void> {
  const update = await findUpdate(query, teamId, id)
  const post = update && (await findPost(query, teamId, update.postId))
  if (!post) throw new Refusal('notFound')
  await lockPage(query, teamId, post.pageId)
  if ((await countUpdates(query, post.id)) > MAX_UPDATES_OF_POST) {
    throw new Refusal('conflict', {
      detail: said(
        'It cannot be restored: its post has {count} updates by now, the most. Delete one first.',
        {
          count: MAX_UPDATES_OF_POST,
        },
      ),
    })
  }
  await settlePost(query, teamId, post)
  await pageChanged(query, teamId, post.pageId)
}

/** Takes back a deletion: the record is there again as it was, with its id. */
export const restoreRecord: Implementation<'restoreRecord'> = {
  async perform(services, { actor: { teamId }, body: { kind, id } }) {
    const { db, databaseNow } = services
    try {
      const name = await db.query.transaction().execute(async (query) => {
        await refuseOverMost(services, query, kind, teamId)
        const taken = await takeKept(query, kind, { teamId, id, since: keptSince(databaseNow()) })
        if (!taken) throw new Refusal('notFound')
        await putBack(query, kind, { teamId, id, at: taken.at }, taken.content)
        await TELL[kind](query, { teamId, id })
        // An update has no name: people know it by its post.
        return taken.name || ((await findUpdate(query, teamId, id))?.title ?? '')
      })
      return { body: { data: { kind, id, name } } }
    } catch (error) {
      if (!isTaken(error)) throw error
      throw new Refusal('conflict', {
        detail: said(
          'It cannot be restored as it was: its address, or something that it belonged to, has changed since.',
        ),
      })
    }
  },
}

/** Locks the team, so that two requests cannot both take the last place. */
async function refuseOverMost(
  services: Services,
  query: Query,
  kind: KeptKind,
  teamId: number,
): Promise<void> {
  if (kind === 'StatusPage') return refuseOverPages(services, query, teamId)
  await lockTeam(query, teamId)
  const most = MOST[kind]
  if (most === undefined || (await countRecords(query, kind, teamId)) < most) return
  throw new Refusal('conflict', {
    detail: said('It cannot be restored: the team has {count} by now, the most. Delete one first.', {
      count: most,
    }),
  })
}
