import { Refusal } from '../../core/errors.ts'
import { formatInstant } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import { ofEachField } from '../../core/maintenance/subject-kind.ts'
import { chosenField, countChosen, NOTHING_CHOSEN } from '../../core/maintenance/window.ts'
import { MAX_REPORTS, type ReportSettings, type SavedReport } from '../../core/reports/report.ts'
import { nextMailAt } from '../../core/reports/schedule.ts'
import type { Query } from '../../postgres/database.ts'
import {
  countReports,
  findReport,
  insertReport,
  type ReportRecord,
  listReports as readReports,
  updateReport as writeReport,
} from '../../store/reports/saved-reports.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import { deletionFrom } from '../delete-record.ts'
import type { Implementation } from '../implementation.ts'
import { refuseUnknownSubjects } from '../maintenance/subject-ids.ts'

export const listReports: Implementation<'listReports'> = {
  async perform({ db }, { actor }) {
    return { body: { data: (await readReports(db.query, actor.teamId)).map(presentReport) } }
  },
}

export const createReport: Implementation<'createReport'> = {
  async perform({ db, databaseNow }, { actor: { teamId }, body }) {
    const settings = await judgeSubjects(db.query, teamId, body)
    const id = await db.query.transaction().execute(async (query) => {
      await lockTeam(query, teamId)
      if ((await countReports(query, teamId)) >= MAX_REPORTS) {
        throw Refusal.invalid({
          name: [
            said('must wait: the team has {count} reports, the most; delete one first', {
              count: MAX_REPORTS,
            }),
          ],
        })
      }
      return insertReport(query, teamId, {
        ...settings,
        nextMailAt: nextMailAt(databaseNow(), body.time_zone),
      })
    })
    return { body: { data: await readReport(db.query, teamId, id) } }
  },
}

export const updateReport: Implementation<'updateReport'> = {
  async perform({ db, databaseNow }, { actor: { teamId }, record, body }) {
    const wanted: ReportSettings = {
      name: body.name ?? record.name,
      time_zone: body.time_zone ?? record.time_zone,
      all_subjects: body.all_subjects ?? record.all_subjects,
      ...ofEachField('_ids', (kind) => body[chosenField(kind)] ?? record[chosenField(kind)]),
      tags: body.tags ?? record.tags,
    }
    const settings = await judgeSubjects(db.query, teamId, wanted, body)
    // A month that is due by now is not skipped because its report is renamed.
    const isMoved = wanted.time_zone !== record.time_zone
    const next = isMoved ? nextMailAt(databaseNow(), wanted.time_zone) : record.nextMailAt
    await writeReport(db.query, teamId, record.id, { ...settings, nextMailAt: next })
    return { body: { data: await readReport(db.query, teamId, record.id) } }
  },
}

export const deleteReport: Implementation<'deleteReport'> = deletionFrom('reports')

/**
 * Refuses ids that were sent and are none of the team, or stand beside tags, and a report about nothing. One about everything
 * names none, and one by tags no ids.
 */
async function judgeSubjects(
  query: Query,
  teamId: number,
  settings: ReportSettings,
  sent: { [Name in keyof ReportSettings]?: ReportSettings[Name] | undefined } = settings,
): Promise<ReportSettings> {
  if (settings.all_subjects) return { ...settings, ...NOTHING_CHOSEN, tags: [] }
  const chosen = ofEachField('_ids', (kind) => sent[chosenField(kind)] ?? [])
  if (settings.tags.length > 0) {
    refuseBesideTags(chosen)
    return { ...settings, ...NOTHING_CHOSEN }
  }
  await refuseUnknownSubjects(query, teamId, chosen)
  if (countChosen(settings) === 0) {
    throw Refusal.invalid({
      monitor_ids: [said('must name a monitor, unless a server, a site or a tag is chosen, got []')],
    })
  }
  return settings
}

/** Refuses ids beside tags; fields that are empty do no harm. */
export function refuseBesideTags(chosen: Record<string, readonly number[]>): void {
  const faults = Object.entries(chosen).flatMap(([field, { length }]) =>
    length > 0
      ? [[field, [said('must be empty when tags has an entry, got {count}', { count: length })]]]
      : [],
  )
  if (faults.length > 0) throw Refusal.invalid(Object.fromEntries(faults))
}

async function readReport(query: Query, teamId: number, id: number): Promise<SavedReport> {
  const report = await findReport(query, teamId, id)
  if (!report) throw new Refusal('notFound')
  return presentReport(report)
}

function presentReport({
  createdAt,
  nextMailAt: next,
  confirmed,
  recipients,
  ...report
}: ReportRecord): SavedReport {
  return {
    ...report,
    created_at: formatInstant(createdAt),
    next_mail_at: formatInstant(next),
    confirmed_count: confirmed,
    recipients_count: recipients,
  }
}
