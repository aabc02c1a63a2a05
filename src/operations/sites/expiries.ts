import { formatInstant } from '../../core/instant.ts'
import { MAX_EXPIRIES } from '../../core/sites/shown-site.ts'
import { listExpiries as readExpiries } from '../../store/sites/shown-history.ts'
import type { Implementation } from '../implementation.ts'

export const listExpiries: Implementation<'listExpiries'> = {
  async perform({ db }, { actor: { teamId } }) {
    const expiries = await readExpiries(db.query, teamId, MAX_EXPIRIES)
    return {
      body: {
        data: expiries.map(({ subjectId, at, ...expiry }) => ({
          ...expiry,
          subject_id: subjectId,
          at: formatInstant(at),
        })),
      },
    }
  },
}
