import { en } from '../../../src/core/status-pages/words/en.ts'

/** As the page itself says them. */
export const PHASE_WORDS = en.phases

export const KIND_WORDS = { incident: 'Incident', maintenance: 'Maintenance' } as const
