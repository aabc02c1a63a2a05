import { Refusal } from '../../core/errors.ts'
import { DEFAULT_PER_PAGE, pageOf } from '../../core/pagination.ts'
import { lockMonitors } from '../../store/monitors/monitor-changes.ts'
import { listMonitors as readPage } from '../../store/monitors/monitors.ts'
import type { Implementation } from '../implementation.ts'
import { baseUrl } from '../services.ts'
import { removeMonitors } from './monitor-activity.ts'
import { presentMonitor } from './present-monitor.ts'

export const listMonitors: Implementation<'listMonitors'> = {
  async perform(services, { actor, query }) {
    const { db, vault } = services
    const { page, per_page: sentPerPage, status, type } = query
    const perPage = sentPerPage ?? DEFAULT_PER_PAGE
    const filter = { status, type }
    const place = { limit: perPage, offset: (page - 1) * perPage }
    const { total, records } = await readPage(db.shared, vault, actor.teamId, filter, place)
    return {
      body: {
        data: records.map((record) => presentMonitor(services, record, actor.role)),
        ...pageOf({
          path: `${baseUrl(services)}/monitors`,
          query: { status, type, per_page: sentPerPage?.toString() },
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

export const deleteMonitor: Implementation<'deleteMonitor'> = {
  async perform(services, { actor, record }) {
    await services.db.query.transaction().execute(async (query) => {
      const held = await lockMonitors(query, actor.teamId, [record.id])
      if (held.length === 0) throw new Refusal('notFound')
      await removeMonitors(services, query, actor.teamId, [record.id])
    })
    return {}
  },
}
