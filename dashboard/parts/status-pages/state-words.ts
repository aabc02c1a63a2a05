import type { SaidState } from '../../../src/core/status-pages/component-state.ts'
import { t } from '../../language/language.ts'

export const STATE_WORDS = {
  operational: t('Operational'),
  maintenance: t('Under maintenance'),
  degraded: t('Degraded'),
  partial_outage: t('Partial outage'),
  major_outage: t('Major outage'),
} as const satisfies Record<SaidState, string>
