import { MONITOR_TYPES, type MonitorType, TYPES_BY_PLACE } from '../../../src/core/monitors/monitor-types.ts'
import { t } from '../../language/language.ts'
import type { ChoiceCard } from '../choice-cards.tsx'
import { ICONS } from '../icons.ts'

/** The cards of the types, in the order of their places. */
export const MONITOR_CARDS = Object.fromEntries(
  TYPES_BY_PLACE.map((type) => {
    const { word, sentence, icon } = MONITOR_TYPES[type]
    return [type, { label: t(word), sentence: t(sentence), icon: ICONS[icon] }]
  }),
) as Record<MonitorType, ChoiceCard>
