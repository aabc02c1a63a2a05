import { holdsOthers } from '../../core/monitors/options/dependencies.ts'
import { MAX_DEPENDENTS_SHOWN } from '../../core/monitors/options/shown-dependencies.ts'
import { countDependents, readAncestors, readDependents } from '../../store/monitors/dependencies.ts'
import type { Implementation } from '../implementation.ts'

export const getMonitorDependencies: Implementation<'getMonitorDependencies'> = {
  async perform({ db }, { actor: { teamId }, record: { id } }) {
    const [ancestors, dependents, count] = await Promise.all([
      readAncestors(db.pool, [id]),
      readDependents(db.pool, teamId, id, MAX_DEPENDENTS_SHOWN),
      countDependents(db.pool, teamId, id),
    ])
    const holders = (ancestors.get(id) ?? []).filter(({ status }) => holdsOthers(status))
    return {
      body: {
        data: {
          holders: holders.map((holder) => ({ id: holder.id, name: holder.name })),
          dependents: dependents.map(({ isHeld, ...dependent }) => ({ ...dependent, is_held: isHeld })),
          dependents_count: count,
        },
      },
    }
  },
}
