import { promisedOfEachKind } from '../../core/maintenance/subject-kind.ts'
import type { LiveStatus } from '../../core/monitors/status.ts'
import { firstStepsOf } from '../../core/overview/first-steps.ts'
import { STORED_KINDS } from '../../store/stored-kinds.ts'
import { markStepsHidden, readDoneOnce } from '../../store/teams/first-steps.ts'
import type { Implementation } from '../implementation.ts'

const PASSED: readonly LiveStatus[] = ['up', 'degraded']

export const getFirstSteps: Implementation<'getFirstSteps'> = {
  async perform({ db, now }, { actor: { teamId, userId } }) {
    const [once, counted] = await Promise.all([
      readDoneOnce(db, teamId, userId),
      promisedOfEachKind((kind) => STORED_KINDS[kind].countByStatus(db, teamId)),
    ])
    const subjects = Object.values(counted).flat()
    const done = {
      subject: subjects.length > 0,
      passed: once.hasPassed || subjects.some(({ status }) => PASSED.includes(status)),
      contact: once.isContactReached,
      on_call: once.isOnCallSet,
      status_page: once.hasStatusPage,
      people: once.areOthersAsked,
    }
    const steps = firstStepsOf(done, once.createdAt, now())
    return { body: { data: { ...steps, is_hidden: once.areStepsHidden } } }
  },
}

/** One of the team does without them; the others still have them. */
export const hideFirstSteps: Implementation<'hideFirstSteps'> = {
  async perform({ db, databaseNow }, { actor: { teamId, userId } }) {
    await markStepsHidden(db.query, teamId, userId, databaseNow())
    return {}
  },
}
