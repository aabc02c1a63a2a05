import { Refusal } from '../core/errors.ts'
import { DEFAULT_PER_PAGE, pageOf } from '../core/pagination.ts'
import { lockMonitor, markDeleted, resolveIncidentQuietly } from '../store/monitor-changes.ts'
import { countMatching, listMonitors as readPage } from '../store/monitors.ts'
import { announceMonitor } from '../store/scheduling.ts'
import type { Implementation } from './implementation.ts'
import { presentMonitor } from './present-monitor.ts'
import { baseUrl } from './services.ts'

export const listMonitors: Implementation<'listMonitors'> = {
  async perform(services, { actor, query }) {
    const { db, vault } = services
    const { page, per_page: sentPerPage, status, type } = query
    const perPage = sentPerPage ?? DEFAULT_PER_PAGE
    const filter = { status, type }
    const total = await countMatching(db.query, actor.teamId, filter)
    const offset = (page - 1) * perPage
    const records =
      offset < total ? await readPage(db.query, vault, actor.teamId, filter, { limit: perPage, offset }) : []
    const carried = { status, type, per_page: sentPerPage?.toString() }
    return {
      body: {
        data: records.map((record) => presentMonitor(services, record, actor.role)),
        ...pageOf({
          path: `${baseUrl(services)}/monitors`,
          query: definedOnly(carried),
          page,
          perPage,
          total,
          count: records.length,
        }),
      },
    }
  },
}

export const getMonitor: Implementation<'getMonitor'> = {
  async perform(services, { actor, record }) {
    return { body: { data: presentMonitor(services, record, actor.role) } }
  },
}

/** Stops checking and takes the monitor out of the team; its history is kept for a restore. */
export const deleteMonitor: Implementation<'deleteMonitor'> = {
  async perform({ db, now }, { actor, record }) {
    await db.query.transaction().execute(async (query) => {
      if (!(await lockMonitor(query, actor.teamId, record.id))) throw new Refusal('notFound')
      await markDeleted(query, actor.teamId, record.id, now())
      await resolveIncidentQuietly(query, record.id, now())
      await announceMonitor(query, record.id)
    })
    return {}
  },
}

/** The filters that were sent, for the links of a page. */
export function definedOnly(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
