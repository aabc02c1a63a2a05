import type { PostPhase } from '../../../src/core/status-pages/post.ts'

export const PHASE_WORDS = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  postmortem: 'Postmortem',
  scheduled: 'Scheduled',
  in_progress: 'In progress',
  verifying: 'Verifying',
  completed: 'Completed',
} as const satisfies Record<PostPhase, string>

export const KIND_WORDS = { incident: 'Incident', maintenance: 'Maintenance' } as const
