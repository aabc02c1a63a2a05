import type { IncidentRow } from '../../../src/core/monitors/incident-story.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { ChosenSummary } from '../../parts/lists/chosen.tsx'
import { AcknowledgeMany, PostAboutMany } from './many-incidents.tsx'

/** Actions on all chosen incidents at once. */
export function IncidentBulk({
  chosen,
  away,
  onShow,
  onClear,
  onDone,
}: {
  chosen: readonly IncidentRow[]
  away: number
  onShow: () => void
  onClear: () => void
  onDone: () => void
}) {
  const free = chosen.filter(({ acknowledgement }) => acknowledgement === null)
  return (
    <div
      role="toolbar"
      aria-label={t('Selected incidents')}
      className="sticky top-16 z-10 mb-3 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-panel px-4 py-2 shadow lg:top-2"
    >
      <ChosenSummary
        chosen={new Set(chosen.keys())}
        names={chosen.map(({ subject_name }) => subject_name)}
        away={away}
        onShow={onShow}
        onClear={onClear}
      />
      <AcknowledgeMany
        count={free.length}
        read={async () => free.map(({ kind, id, subject_name }) => ({ kind, id, name: subject_name }))}
        onDone={onDone}
      />
      <PostAboutMany subjects={chosen.map(({ kind, subject_id: id }) => ({ kind, id }))} />
      <Button size="small" tone="quiet" onClick={onClear}>
        {t('Clear selection')}
      </Button>
    </div>
  )
}
