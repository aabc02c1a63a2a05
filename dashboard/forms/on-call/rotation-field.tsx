import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { MAX_TURNS } from '../../../src/core/on-call/schedule.ts'
import { t } from '../../language/language.ts'
import { Tool } from '../../parts/button.tsx'
import { SelectField } from '../../parts/field.tsx'
import { lookOf } from '../../parts/on-call/participant-look.ts'
import type { DraftParticipant } from './schedule-draft.ts'

/** The order in which participants take turns; one may have several. */
export function RotationField({
  participants,
  rotation,
  faults,
  onGive,
}: {
  participants: DraftParticipant[]
  rotation: number[]
  faults: string[] | undefined
  onGive: (rotation: number[]) => void
}) {
  const nameOf = (key: number) => {
    const place = participants.findIndex((participant) => participant.key === key)
    return participants[place]?.name || t('Participant {number}', { number: place + 1 })
  }

  function move(place: number, by: -1 | 1) {
    const next = [...rotation]
    const [moved] = next.splice(place, 1)
    if (moved !== undefined) onGive(next.toSpliced(place + by, 0, moved))
  }

  return (
    <div className="min-w-0">
      <p className="mb-1.5 font-medium">{t('Order of turns')}</p>
      {rotation.length > 0 && (
        <ol
          aria-label={t('Order of turns')}
          className="mb-3 divide-y divide-line rounded-md border border-line"
        >
          {rotation.map((key, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a participant may have several turns
            <li key={place} className="flex min-h-11 items-center gap-2 pl-3">
              <span
                aria-hidden
                className={`size-2.5 shrink-0 rounded-full ${lookOf(key, participants).dot}`}
              />
              <span className="min-w-0 flex-1 truncate">{nameOf(key)}</span>
              <Tool
                label={t('Move turn {number} up', { number: place + 1 })}
                icon={ArrowUp}
                disabled={place === 0}
                onPress={() => move(place, -1)}
              />
              <Tool
                label={t('Move turn {number} down', { number: place + 1 })}
                icon={ArrowDown}
                disabled={place === rotation.length - 1}
                onPress={() => move(place, 1)}
              />
              <Tool
                label={t('Remove turn {number}', { number: place + 1 })}
                icon={X}
                disabled={false}
                onPress={() => onGive(rotation.toSpliced(place, 1))}
              />
            </li>
          ))}
        </ol>
      )}
      <SelectField
        className="max-w-80"
        label={t('Add a turn')}
        faults={faults}
        value=""
        disabled={rotation.length >= MAX_TURNS}
        onChange={({ target }) => onGive([...rotation, Number(target.value)])}
      >
        <option value="">{t('Choose a participant…')}</option>
        {participants.map(({ key }) => (
          <option key={key} value={key}>
            {nameOf(key)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
