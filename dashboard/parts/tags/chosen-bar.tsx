import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { SHOWN_KINDS } from '../../data/subjects/shown-kinds.ts'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'
import { type Chosen, ChosenSummary } from '../lists/chosen.tsx'
import { TagBulk } from './tag-bulk.tsx'

/** Actions on all chosen servers or sites at once; nothing while none is chosen. */
export function ChosenBar({ kind, ...choice }: { kind: SubjectKind } & Chosen) {
  const { chosen, onDone, onClear } = choice
  if (chosen.size === 0) return null
  return (
    <div
      role="toolbar"
      aria-label={t(SHOWN_KINDS[kind].words.selected)}
      className="sticky top-16 z-10 mb-3 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-panel px-4 py-2 shadow lg:top-2"
    >
      <ChosenSummary {...choice} />
      <TagBulk kind={kind} chosen={chosen} onDone={onDone} />
      <Button size="small" tone="quiet" onClick={onClear}>
        {t('Clear selection')}
      </Button>
    </div>
  )
}
