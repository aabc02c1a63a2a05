import { X } from 'lucide-react'
import { useState } from 'react'
import type { SubjectName } from '../../src/core/maintenance/shown-window.ts'
import { SUBJECT_NAMES, type SubjectKind } from '../../src/core/maintenance/subject-kind.ts'
import { useFound } from '../data/subjects/found-subjects.ts'
import { SHOWN_KINDS } from '../data/subjects/shown-kinds.ts'
import { t } from '../language/language.ts'
import { Button } from '../parts/button.tsx'
import { idsIn } from './draft.ts'
import { SHOWN_FOUND, SubjectFinder } from './subject-finder.tsx'
import type { Form } from './use-form.ts'

/** The names of more would be a wall to read. */
const SHOWN_CHOSEN = 50

/** Chooses subjects for a form; nothing where the team has no servers or no sites. */
export function SubjectPicker({
  kind,
  team,
  form,
  named,
  max,
  field = `${kind}_ids`,
  without,
  onAdd,
}: {
  kind: SubjectKind
  team: number
  form: Form
  /** Names of those that are chosen already. */
  named: readonly SubjectName[]
  max: number
  /** The field of the form that holds the IDs. */
  field?: string
  /** The ID of one that is not offered. */
  without?: number | undefined
  /** Told the names of what is chosen. */
  onAdd?: (subjects: readonly SubjectName[]) => void
}) {
  const [names, setNames] = useState(() => new Map(named.map(({ id, name }) => [id, name])))
  const { total } = useFound(team, kind, {}, SHOWN_FOUND)
  const chosen = idsIn(form.draft[field])
  if (kind !== 'monitor' && total === 0 && chosen.length === 0) return null

  const choose = (ids: readonly number[]) => form.set(field, ids.join(', '))

  function add(more: readonly SubjectName[]) {
    setNames((known) => new Map([...known, ...more.map(({ id, name }) => [id, name] as const)]))
    onAdd?.(more)
    choose([...new Set([...chosen, ...more.map(({ id }) => id)])])
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">{t(SUBJECT_NAMES[kind])}</legend>
      <SubjectFinder
        kind={kind}
        team={team}
        chosen={new Set(chosen)}
        max={max}
        without={without}
        faults={form.faults(field)}
        onAdd={add}
        onRemove={(id) => choose(chosen.filter((one) => one !== id))}
      />
      <Chosen kind={kind} chosen={chosen} names={names} onChoose={choose} />
    </fieldset>
  )
}

/** The chosen ones by name, to take out again. */
function Chosen({
  kind,
  chosen,
  names,
  onChoose,
}: {
  kind: SubjectKind
  chosen: number[]
  names: ReadonlyMap<number, string>
  onChoose: (ids: number[]) => void
}) {
  if (chosen.length === 0) return <p className="text-sm text-soft">{t('None chosen yet.')}</p>
  const rest = chosen.length - SHOWN_CHOSEN
  const nameOf = (id: number) => names.get(id) ?? t(SHOWN_KINDS[kind].words.unnamed, { id })
  return (
    <div>
      <div className="mb-1.5 flex items-center justify-between gap-2">
        <p className="font-medium">{t('{count, number} chosen', { count: chosen.length })}</p>
        <Button size="small" tone="quiet" onClick={() => onChoose([])}>
          {t('Remove all')}
        </Button>
      </div>
      <ul aria-label={t(SHOWN_KINDS[kind].words.selected)} className="flex flex-wrap gap-1.5">
        {chosen.slice(0, SHOWN_CHOSEN).map((id) => (
          <li
            key={id}
            className="flex h-9 max-w-full items-center gap-1 rounded-md border border-line bg-sunken pl-2.5 text-sm"
          >
            <span className="truncate">{nameOf(id)}</span>
            <button
              type="button"
              aria-label={t('Remove {name}', { name: nameOf(id) })}
              className="flex h-9 shrink-0 items-center rounded-md px-2 text-soft hover:text-ink"
              onClick={() => onChoose(chosen.filter((one) => one !== id))}
            >
              <X aria-hidden size={16} />
            </button>
          </li>
        ))}
        {rest > 0 && (
          <li className="flex h-9 items-center px-1 text-sm text-soft">
            {t('and {count, number} more', { count: rest })}
          </li>
        )}
      </ul>
    </div>
  )
}
