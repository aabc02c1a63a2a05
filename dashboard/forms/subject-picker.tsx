import type { SubjectName } from '../../src/core/maintenance/shown-window.ts'
import { t } from '../language/language.ts'
import { type FoundKind, useFound } from './found-subjects.ts'
import { Chosen } from './monitor-picker.tsx'
import { SubjectFinder } from './subject-finder.tsx'
import type { Form } from './use-form.ts'

const LEGENDS = { server: t('Servers'), site: t('Sites') } as const satisfies Record<FoundKind, string>

/** Chooses servers or sites for a form; nothing where the team has none. All of them are here, so they are searched here. */
export function SubjectPicker({
  kind,
  team,
  form,
  max,
  onAdd,
}: {
  kind: FoundKind
  team: number
  form: Form
  max: number
  /** Told the names of what is chosen. */
  onAdd?: (subjects: readonly SubjectName[]) => void
}) {
  const field = `${kind}_ids`
  const subjects = useFound(team, kind)
  const chosen = String(form.draft[field] ?? '')
    .split(', ')
    .filter(Boolean)
    .map(Number)
  if (subjects.length === 0 && chosen.length === 0) return null
  const choose = (ids: readonly number[]) => form.set(field, [...new Set(ids)].slice(0, max).join(', '))
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">{LEGENDS[kind]}</legend>
      <SubjectFinder
        kind={kind}
        subjects={subjects}
        chosen={new Set(chosen)}
        faults={form.faults(field)}
        onAdd={(more) => {
          onAdd?.(more)
          choose([...chosen, ...more.map(({ id }) => id)])
        }}
        onRemove={(id) => choose(chosen.filter((one) => one !== id))}
      />
      <Chosen
        kind={kind}
        chosen={chosen}
        names={new Map(subjects.map(({ id, name }) => [id, name]))}
        onChoose={choose}
      />
    </fieldset>
  )
}
