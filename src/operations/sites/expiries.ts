import { formatInstant } from '../../core/instant.ts'
import { countExpiries, listExpiries as readExpiries } from '../../store/sites/expiries.ts'
import { answerPage } from '../answer-page.ts'
import type { Implementation } from '../implementation.ts'
import { dashboardUrl } from '../services.ts'

export const listExpiries: Implementation<'listExpiries'> = {
  async perform(services, { actor: { teamId }, query }) {
    const { db } = services
    const total = await countExpiries(db.query, teamId, query)
    return answerPage(
      `${dashboardUrl(services, teamId)}/expiries`,
      query,
      total,
      (place) => readExpiries(db.query, teamId, query, place),
      ({ at, ...expiry }) => ({ ...expiry, at: formatInstant(at) }),
    )
  },
}
