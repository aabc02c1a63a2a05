import { useQueryClient } from '@tanstack/react-query'
import { askAccount } from '../data/account.ts'
import { forgetLastSeen } from '../data/device/last-seen.ts'
import { forgetSession } from '../data/sign-in/session-end.ts'
import { useNotices } from '../parts/feedback/notices.tsx'
import { forgetUses } from './finder/recent.ts'
import { endAlertsHere } from './service-worker.ts'

/** Ends the session, and what this browser keeps of it. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  const say = useNotices()
  return async () => {
    try {
      await askAccount('signOut', {})
      forgetSession()
      queries.clear()
      forgetLastSeen()
      forgetUses()
      await endAlertsHere()
      location.assign('/sign-in')
    } catch (error) {
      say.problem(error)
    }
  }
}
