import type { LiveStatus } from '../../core/monitors/status.ts'
import { firstStepsOf } from '../../core/overview/first-steps.ts'
import { countByStatus } from '../../store/monitors/overview.ts'
import { countServersByStatus } from '../../store/servers/overview.ts'
import { countSitesByStatus } from '../../store/sites/overview.ts'
import { readDoneOnce } from '../../store/teams/first-steps.ts'
import type { Implementation } from '../implementation.ts'

const PASSED: readonly LiveStatus[] = ['up', 'degraded']

export const getFirstSteps: Implementation<'getFirstSteps'> = {
  async perform({ db, now }, { actor: { teamId } }) {
    const [once, ...counted] = await Promise.all([
      readDoneOnce(db, teamId),
      countByStatus(db, teamId),
      countServersByStatus(db, teamId),
      countSitesByStatus(db, teamId),
    ])
    const subjects = counted.flat()
    const done = {
      subject: subjects.length > 0,
      passed: once.hasRecovered || subjects.some(({ status }) => PASSED.includes(status)),
      contact: once.isContactReached,
      on_call: once.isOnCallSet,
      status_page: once.hasStatusPage,
      people: once.areOthersAsked,
    }
    return { body: { data: firstStepsOf(done, once.createdAt, now()) } }
  },
}
