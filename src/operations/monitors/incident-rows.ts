import { listPage } from '../../core/lists/list-page.ts'
import { presentIncident } from '../../core/monitors/incident.ts'
import type { IncidentRow } from '../../core/monitors/incident-story.ts'
import { deliveriesOfIncident } from '../../store/alerting/delivery-log.ts'
import {
  type IncidentRowRecord,
  readIncidentRows,
  type SubjectIncidentRecord,
} from '../../store/monitors/incident-rows.ts'
import { presentDelivery } from '../alerting/deliveries.ts'
import type { Implementation } from '../implementation.ts'
import { readResponse } from '../on-call/present-response.ts'
import { dashboardUrl, type Services } from '../services.ts'
import { MAX_DELIVERIES_SHOWN } from './incidents.ts'

/** The dashboard's list of incidents of every kind, in pages. */
export const listIncidentRows: Implementation<'listIncidentRows'> = {
  async perform(services, { actor, query }) {
    const { page, per_page: limit, ...filter } = query
    const bounds = { limit, offset: (page - 1) * limit }
    const { total, rows } = await readIncidentRows(services.db.query, actor.teamId, filter, bounds)
    const path = `${dashboardUrl(services, actor.teamId)}/incident-rows`
    return { body: { data: rows.map(presentRow), ...listPage(path, query, { total, count: rows.length }) } }
  },
}

export const getServerIncidentStory: Implementation<'getServerIncidentStory'> = {
  perform: (services, { actor, record }) => tell(services, actor.teamId, record),
}

export const getSiteIncidentStory: Implementation<'getSiteIncidentStory'> = {
  perform: (services, { actor, record }) => tell(services, actor.teamId, record),
}

async function tell({ db, vault, databaseNow }: Services, teamId: number, record: SubjectIncidentRecord) {
  const [deliveries, response] = await Promise.all([
    deliveriesOfIncident(db.query, teamId, record, MAX_DELIVERIES_SHOWN),
    readResponse(db.query, vault, teamId, record, { isOver: record.resolvedAt !== null, now: databaseNow() }),
  ])
  return {
    body: {
      data: {
        incident: presentRow(record),
        processes: record.processes ?? [],
        deliveries: deliveries.map(presentDelivery),
        response,
      },
    },
  }
}

function presentRow(record: IncidentRowRecord): IncidentRow {
  return {
    ...presentIncident(record),
    kind: record.kind,
    subject_id: record.subjectId,
    subject_name: record.subjectName,
    about: record.about,
    warns_only: record.warnsOnly,
    acknowledgement: record.acknowledgement,
  }
}
