import type { SaidState } from '../../../src/core/status-pages/component-state.ts'

export const STATE_WORDS = {
  operational: 'Operational',
  maintenance: 'Under maintenance',
  degraded: 'Degraded',
  partial_outage: 'Partial outage',
  major_outage: 'Major outage',
} as const satisfies Record<SaidState, string>
