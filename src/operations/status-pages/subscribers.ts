import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import type { SubscriberRow } from '../../core/status-pages/shown-post.ts'
import { MAX_SUBSCRIBERS, subscribersCsv } from '../../core/status-pages/subscribers/subscriber.ts'
import { seesSecrets } from '../../core/teams/access.ts'
import {
  countSubscribers,
  deleteSubscriber,
  findByAddress,
  listSubscribers,
  type SubscriberRecord,
} from '../../store/status-pages/subscriber-list.ts'
import { answerPage } from '../answer-page.ts'
import type { Implementation } from '../implementation.ts'
import { dashboardUrl } from '../services.ts'

export const listStatusSubscribers: Implementation<'listStatusSubscribers'> = {
  async perform(services, { actor, record, query }) {
    const { db, vault } = services
    const { teamId, role } = actor
    const { state, search } = query
    if (search !== '' && !seesSecrets(role)) {
      throw Refusal.invalid({ search: [said('must be left out by those who see no addresses')] })
    }
    const asked = { pageId: record.id, search }
    const ids = search === '' ? undefined : await findByAddress(db.query, vault, teamId, asked)
    const filter = { pageId: record.id, state, ids }
    const path = `${dashboardUrl(services, teamId)}/status-pages/${record.id}/subscribers`
    const total = await countSubscribers(db.query, teamId, filter)
    return answerPage(
      path,
      { ...query, search: search || undefined },
      total,
      (place) => listSubscribers(db.query, vault, teamId, filter, place),
      (subscriber) => presentSubscriber(subscriber, seesSecrets(role)),
    )
  },
}

export const exportStatusSubscribers: Implementation<'exportStatusSubscribers'> = {
  async perform({ db, vault }, { actor: { teamId }, record }) {
    const everyone = { limit: MAX_SUBSCRIBERS, offset: 0 }
    const found = await listSubscribers(db.query, vault, teamId, { pageId: record.id }, everyone)
    return { body: { data: { csv: subscribersCsv(found.map((one) => presentSubscriber(one, true))) } } }
  },
}

export const removeStatusSubscriber: Implementation<'removeStatusSubscriber'> = {
  async perform({ db }, { actor, record }) {
    await deleteSubscriber(db.query, actor.teamId, record.id)
    return {}
  },
}

function presentSubscriber(subscriber: SubscriberRecord, seesAddress: boolean): SubscriberRow {
  return {
    id: subscriber.id,
    type: subscriber.type,
    address: seesAddress ? subscriber.address : null,
    state: subscriber.state,
    component_ids: subscriber.componentIds,
    created_at: formatInstant(subscriber.createdAt),
    confirmed_at: formatInstantOrNull(subscriber.confirmedAt),
    refused_at: formatInstantOrNull(subscriber.refusedAt),
  }
}
