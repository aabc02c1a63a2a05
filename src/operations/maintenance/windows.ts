import { said } from '../../core/language/said.ts'
import { standingAt } from '../../core/maintenance/kept-window.ts'
import {
  type Chosen,
  chosenField,
  chosenIn,
  MaintenanceWindow,
  NOTHING_CHOSEN,
  SUBJECT_KINDS,
} from '../../core/maintenance/window.ts'
import { cutAt, timesDiffer } from '../../core/maintenance/window-change.ts'
import { windowFaults } from '../../core/maintenance/window-faults.ts'
import { type FieldError, parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { keepRecord } from '../../store/deleted-records.ts'
import { dropKeptFrom, listStanding } from '../../store/maintenance/occurrences.ts'
import { knownSubjects, readSubjects } from '../../store/maintenance/subjects.ts'
import { listWindows, markWindowDeleted } from '../../store/maintenance/windows.ts'
import type { Implementation } from '../implementation.ts'
import { changeWindow, keepAll } from './change-window.ts'
import { withCarriers } from './follow-tags.ts'
import { presentRow, readDetail } from './present-window.ts'
import { refuseUnknownSubjects } from './subject-ids.ts'
import { writeChange } from './write-change.ts'

/** Subjects of each kind that a line of the list names. */
const NAMED_SUBJECTS = 3

export const listMaintenanceWindows: Implementation<'listMaintenanceWindows'> = {
  async perform({ db, databaseNow }, { actor: { teamId }, query: reader }) {
    const windows = await listWindows(db.query, teamId)
    const now = databaseNow()
    const ids = windows.map(({ id }) => id)
    const kept = await listStanding(db.query, teamId, standingAt(now), ids)
    const keptOf = Map.groupBy(kept, ({ windowId }) => windowId)
    const subjects = await readSubjects(db.query, teamId, ids, NAMED_SUBJECTS)
    const rows = windows.map((window) =>
      presentRow({ window, kept: keptOf.get(window.id) ?? [] }, subjects.get(window.id), now, reader),
    )
    return { body: { data: rows.sort(byName) } }
  },
}

export const getMaintenanceWindow: Implementation<'getMaintenanceWindow'> = {
  async perform(services, { actor, record, query }) {
    return { body: { data: await readDetail(services, actor, record.id, query) } }
  },
}

export const updateMaintenanceWindow: Implementation<'updateMaintenanceWindow'> = {
  validate({ databaseNow }, { record }, body) {
    const faults = windowFaults(databaseNow())
    return parseFields(MaintenanceWindow, body, (fields) => {
      if (fields.kind !== undefined && fields.kind !== record.kind) {
        return [
          {
            field: 'kind',
            message: said('cannot change: this window is of kind {kind}', { kind: record.kind }),
          },
        ]
      }
      return faults(fields).filter((fault) => isOfSubjects(fault) || !hasSameTimes(record, fields))
    })
  },

  async perform(services, { actor, record, body }) {
    const { teamId } = actor
    await changeWindow(services, teamId, record.id, async (query, whole, now) => {
      await refuseUnknownSubjects(query, teamId, body)
      const next =
        body.tags.length > 0
          ? await withCarriers(query, teamId, body)
          : { ...body, ...(await withDeleted(query, teamId, whole.window, body)) }
      await writeChange(query, teamId, whole, next, now)
      return true
    })
    return { body: { data: await readDetail(services, actor, record.id) } }
  },
}

export const deleteMaintenanceWindow: Implementation<'deleteMaintenanceWindow'> = {
  async perform(services, { actor: { teamId }, record }) {
    await changeWindow(services, teamId, record.id, async (query, whole, now) => {
      const keep = cutAt(whole, now)
      await keepRecord(query, 'MaintenanceWindow', { teamId, id: record.id, at: now })
      await dropKeptFrom(query, teamId, record.id, now)
      await keepAll(query, teamId, keep)
      await markWindowDeleted(query, teamId, record.id, now)
      return true
    })
    return {}
  },
}

/** As SQL orders names elsewhere: by code points, whatever the case. */
function byName(one: { id: number; name: string }, other: { id: number; name: string }): number {
  const [name, otherName] = [one.name.toLowerCase(), other.name.toLowerCase()]
  if (name === otherName) return one.id - other.id
  return name < otherName ? -1 : 1
}

/** A window that is over has no time to come, and may still get another name. */
function hasSameTimes(record: MaintenanceWindow, fields: Partial<MaintenanceWindow>): boolean {
  const { data } = MaintenanceWindow.safeParse(JSON.parse(JSON.stringify(fields)))
  return data !== undefined && !timesDiffer(record, data)
}

function isOfSubjects({ field }: FieldError): boolean {
  return field === 'tags' || SUBJECT_KINDS.some((kind) => chosenField(kind) === field)
}

/** A deleted monitor, which no form shows, stays a subject: it can be restored, even long after. */
async function withDeleted(
  query: Query,
  teamId: number,
  { monitor_ids }: MaintenanceWindow,
  next: MaintenanceWindow,
): Promise<Chosen> {
  if (next.all_subjects) return NOTHING_CHOSEN
  const alive = new Set((await knownSubjects(query, teamId, 'monitor', monitor_ids)).map(({ id }) => id))
  const deleted = monitor_ids.filter((id) => !alive.has(id))
  return { ...chosenIn(next), monitor_ids: [...new Set([...next.monitor_ids, ...deleted])] }
}
