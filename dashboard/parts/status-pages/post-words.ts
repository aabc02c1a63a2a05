import { de } from '../../../src/core/status-pages/words/de.ts'
import { en } from '../../../src/core/status-pages/words/en.ts'
import { LANGUAGE, t } from '../../language/language.ts'

/** As the page itself says them. */
export const PHASE_WORDS = { en, de }[LANGUAGE].phases

export const KIND_WORDS = { incident: t('Incident'), maintenance: t('Maintenance') } as const
