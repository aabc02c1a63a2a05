import {
  MONITOR_TYPES,
  type MonitorType,
  schemesOf,
  TYPES_BY_PLACE,
} from '../../../src/core/monitors/monitor-types.ts'
import { TYPE_GROUPS } from '../../../src/core/monitors/types/entry.ts'
import { t } from '../../language/language.ts'
import type { ChoiceCard } from '../choice-cards.tsx'
import { ICONS } from '../icons.ts'

/** The cards of the types, in the order of their places. */
export const MONITOR_CARDS = Object.fromEntries(
  TYPES_BY_PLACE.map((type) => {
    const { word, title, sentence, icon, group } = MONITOR_TYPES[type]
    const words = [type, t(title), t(TYPE_GROUPS[group]), ...(schemesOf(type) ?? [])].join(' ')
    return [type, { label: t(word), sentence: t(sentence), icon: ICONS[icon], words }]
  }),
) as Record<MonitorType, ChoiceCard>
