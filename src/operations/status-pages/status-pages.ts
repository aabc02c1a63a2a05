import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { keysOf, pick } from '../../core/shape.ts'
import { pageFaults } from '../../core/status-pages/page-faults.ts'
import { StatusPagePatch } from '../../core/status-pages/shown-page.ts'
import { StatusPage } from '../../core/status-pages/status-page.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { keepRecord } from '../../store/deleted-records.ts'
import { listDomains } from '../../store/status-pages/domains.ts'
import { countComponents } from '../../store/status-pages/layout.ts'
import {
  deletePage,
  insertPage,
  listPages,
  pageChanged,
  publishPage,
  updatePage,
} from '../../store/status-pages/pages.ts'
import { findTemplate } from '../../store/status-pages/templates.ts'
import type { Implementation } from '../implementation.ts'
import { changePage, refuseOverPages } from './change-page.ts'
import { presentPageRow, readPageDetail, settingsOf } from './present-page.ts'

export const listStatusPages: Implementation<'listStatusPages'> = {
  async perform({ db, siteUrl, plans }, { actor: { teamId, plan } }) {
    const pages = await listPages(db.query, teamId)
    const counts = await countComponents(db.query, teamId)
    const domains = await listDomains(
      db.query,
      pages.map(({ id }) => id),
    )
    const domainsOf = Map.groupBy(domains, ({ pageId }) => pageId)
    const { max_status_pages, max_own_domains } = plans[plan]
    return {
      body: {
        data: pages.map((page) =>
          presentPageRow(siteUrl, page, counts.get(page.id) ?? 0, domainsOf.get(page.id) ?? []),
        ),
        meta: {
          pages: pages.length,
          max_pages: max_status_pages,
          domains: domains.length,
          max_domains: max_own_domains,
        },
      },
    }
  },
}

export const createStatusPage: Implementation<'createStatusPage'> = {
  validate(_services, _asked, body) {
    return parseFields(StatusPage, body, pageFaults({ hasPassword: false, isPublished: false }))
  },

  async perform(services, { actor, body }) {
    const { teamId } = actor
    const id = await services.db.query.transaction().execute(async (query) => {
      await refuseOverPages(services, query, teamId)
      await refuseUnknownTemplate(query, teamId, body.template_id)
      const added = await insertPage(query, teamId, body)
      if (added === null) throw slugTaken(body.slug)
      await pageChanged(query, teamId, added)
      return added
    })
    return { body: { data: await readPageDetail(services, actor, id) } }
  },
}

async function refuseUnknownTemplate(
  query: Query,
  teamId: number,
  id: number | null | undefined,
): Promise<void> {
  if (id === undefined || id === null || (await findTemplate(query, teamId, id))) return
  throw Refusal.invalid({
    template_id: [said('must be the ID of a template of the team, or null, got {got}', { got: id })],
  })
}

/** Whose it is, is nobody's business. */
function slugTaken(slug: string): Refusal {
  return Refusal.invalid({ slug: [said('must be another one: a page of this service has {slug}', { slug })] })
}

export const getStatusPage: Implementation<'getStatusPage'> = {
  async perform(services, { actor, record }) {
    return { body: { data: await readPageDetail(services, actor, record.id) } }
  },
}

export const updateStatusPage: Implementation<'updateStatusPage'> = {
  validate(_services, { record }, body) {
    const faults = pageFaults(record)
    return parseFields(StatusPagePatch, body, (fields) =>
      faults({ ...settingsOf(record), ...fields } as StatusPage),
    )
  },

  async perform(services, { actor, record, body }) {
    const sent: Partial<StatusPage> = pick(body, keysOf(StatusPage.shape))
    return changePage(services, actor, record.id, async (query, page) => {
      refuseFaults({ ...page, ...sent }, page)
      await refuseUnknownTemplate(query, actor.teamId, sent.template_id)
      if (!(await updatePage(query, actor.teamId, page.id, sent))) throw slugTaken(sent.slug as string)
    })
  },
}

export const deleteStatusPage: Implementation<'deleteStatusPage'> = {
  async perform({ db }, { actor, record }) {
    await db.transaction(async (query) => {
      await keepRecord(query, 'StatusPage', { teamId: actor.teamId, id: record.id })
      await deletePage(query, actor.teamId, record.id)
    })
    return {}
  },
}

export const publishStatusPage: Implementation<'publishStatusPage'> = {
  async perform(services, { actor, record }) {
    return changePage(services, actor, record.id, async (query, page) => {
      refuseFaults(page, { ...page, isPublished: true })
      await publishPage(query, actor.teamId, page.id, true)
    })
  },
}

export const unpublishStatusPage: Implementation<'unpublishStatusPage'> = {
  async perform(services, { actor, record }) {
    return changePage(services, actor, record.id, (query, page) =>
      publishPage(query, actor.teamId, page.id, false),
    )
  },
}

/** Once more under the lock of the page: another request may have changed it since the body was judged. */
function refuseFaults(settings: StatusPage, page: { hasPassword: boolean; isPublished: boolean }): void {
  const [fault] = pageFaults(page)(settings)
  if (fault) throw Refusal.invalid({ [fault.field]: [fault.message] })
}
