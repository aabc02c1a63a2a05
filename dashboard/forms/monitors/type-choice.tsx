import type { MonitorType } from '../../../src/core/monitors/monitor.ts'
import { typesOfGroup } from '../../../src/core/monitors/monitor-types.ts'
import { TYPE_GROUPS, type TypeGroup } from '../../../src/core/monitors/types/entry.ts'
import { keysOf } from '../../../src/core/shape.ts'
import { t } from '../../language/language.ts'
import { ChoiceCards } from '../../parts/choice-cards.tsx'
import { MONITOR_CARDS } from '../../parts/monitors/type-cards.ts'

/** The types that most monitors have: those of the first places. */
const MOST_USED = 6

const GROUPS = keysOf(TYPE_GROUPS).map((group: TypeGroup) => ({
  label: t(TYPE_GROUPS[group]),
  kinds: typesOfGroup(group),
}))

/** The types of monitors: the most used ones, all by their groups, or those that a few letters find. */
export function TypeChoice({
  legend,
  value,
  onChoose,
}: {
  legend: string
  value: MonitorType
  onChoose: (type: MonitorType) => void
}) {
  return (
    <ChoiceCards
      legend={legend}
      cards={MONITOR_CARDS}
      value={value}
      first={MOST_USED}
      groups={GROUPS}
      find={t('Find a type')}
      onChoose={onChoose}
    />
  )
}
