import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { MAX_SCHEDULES, Schedule, scheduleFaults } from '../../core/on-call/schedule.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { membersWithPhone } from '../../store/on-call/phones.ts'
import { namesOfPoliciesAsking } from '../../store/on-call/policies.ts'
import {
  countSchedules,
  insertSchedule,
  lockSchedule,
  listSchedules as readSchedules,
  updateSchedule as writeSchedule,
} from '../../store/on-call/schedules.ts'
import { deleteRecord } from '../../store/records.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import type { Implementation } from '../implementation.ts'
import { refuseUnknownPeople } from './participants.ts'
import { presentDetail, presentRow, readDetail } from './present-schedule.ts'

export const listSchedules: Implementation<'listSchedules'> = {
  async perform({ db, vault, databaseNow }, { actor }) {
    const now = databaseNow()
    const [schedules, members] = await Promise.all([
      readSchedules(db.query, actor.teamId, now),
      membersWithPhone(db.query, vault, actor.teamId),
    ])
    return { body: { data: schedules.map((schedule) => presentRow(schedule, members, now)) } }
  },
}

export const getSchedule: Implementation<'getSchedule'> = {
  async perform({ db, vault, databaseNow }, { actor, record }) {
    const members = await membersWithPhone(db.query, vault, actor.teamId)
    return { body: { data: presentDetail(record, members, databaseNow()) } }
  },
}

export const createSchedule: Implementation<'createSchedule'> = {
  validate(_services, _asked, body) {
    return parseFields(Schedule, body, scheduleFaults)
  },

  async perform(services, { actor: { teamId }, body }) {
    const id = await services.db.query.transaction().execute(async (query) => {
      await lockTeam(query, teamId)
      await refuseUnknownPeople(query, teamId, body.participants)
      if ((await countSchedules(query, teamId)) >= MAX_SCHEDULES) {
        throw Refusal.invalid({
          name: [
            said('must wait: the team has {count} schedules, the most; delete one first', {
              count: MAX_SCHEDULES,
            }),
          ],
        })
      }
      return insertSchedule(query, teamId, body)
    })
    return { body: { data: await readDetail(services, teamId, id) } }
  },
}

export const updateSchedule: Implementation<'updateSchedule'> = {
  validate(_services, _asked, body) {
    return parseFields(Schedule, body, scheduleFaults)
  },

  async perform(services, { actor: { teamId }, record, body }) {
    await services.db.query.transaction().execute(async (query) => {
      if (!(await lockSchedule(query, teamId, record.id))) throw new Refusal('notFound')
      await refuseUnknownPeople(query, teamId, body.participants)
      await writeSchedule(query, teamId, record.id, body)
    })
    return { body: { data: await readDetail(services, teamId, record.id) } }
  },
}

export const deleteSchedule: Implementation<'deleteSchedule'> = {
  async perform({ db }, { actor: { teamId }, record }) {
    await db.query.transaction().execute(async (query) => {
      // Policies are written by those who hold the team.
      await lockTeam(query, teamId)
      await refuseWhileUsed(query, teamId, record.id)
      await deleteRecord(query, 'schedules', teamId, record.id)
    })
    return {}
  },
}

/** Refuses to take a schedule away from the escalation policies that ask it. */
async function refuseWhileUsed(query: Query, teamId: number, id: number): Promise<void> {
  const names = await namesOfPoliciesAsking(query, teamId, id)
  if (names.length === 0) return
  throw Refusal.invalid({
    schedule: [
      said('is used by escalation policies: {names}. Change their steps first', { names: names.join(', ') }),
    ],
  })
}
