import { phaseWords } from '../../../src/core/status-pages/words/phase-words.ts'
import { t } from '../../language/language.ts'

/** As the page itself says them. */
export const PHASE_WORDS = phaseWords(t)

export const KIND_WORDS = { incident: t('Incident'), maintenance: t('Maintenance') } as const
