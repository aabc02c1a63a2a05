import type { Translator } from '../../language/translate.ts'
import type { PostPhase } from '../post.ts'

/** The phases of posts, as pages and the dashboard say them. */
export function phaseWords(t: Translator['t']): Record<PostPhase, string> {
  return {
    investigating: t('Investigating'),
    identified: t('Identified'),
    monitoring: t('Monitoring'),
    resolved: t('Resolved'),
    postmortem: t('Postmortem'),
    scheduled: t('Scheduled'),
    in_progress: t('In progress'),
    verifying: t('Verifying'),
    completed: t('Completed'),
  }
}
