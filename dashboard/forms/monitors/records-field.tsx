import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { t } from '../../language/language.ts'
import { Button, Tool } from '../../parts/button.tsx'
import type { RecordsControl } from '../controls.ts'
import { type Draft, draftOf } from '../draft.ts'
import type { Form } from '../use-form.ts'
import { FoldedFields } from './folded-fields.tsx'
import type { WithParts } from './parts-fields.tsx'
import { holdRecords, moved, recordsIn } from './records-draft.ts'

/** A list of objects, one after the other, each with fields of its own. */
export function RecordsField({
  name,
  control,
  label,
  hint,
  words,
  form,
  children,
}: WithParts<RecordsControl>) {
  const { controls, min, max } = control
  const held = recordsIn<Draft>(form.draft[name])
  const blank = () => draftOf(controls)
  // There are never fewer than it needs.
  const records = [...held, ...Array.from({ length: Math.max(0, min - held.length) }, blank)]
  const give = (next: readonly Draft[]) => form.set(name, holdRecords(next))
  const list = useRef<HTMLOListElement>(null)
  const [pressed, setPressed] = useState<{ place: number; tool: string } | null>(null)
  const id = useId()

  // The button that was pressed has moved with its step, and keeps the focus; at an end the other one gets it.
  useEffect(() => {
    if (!pressed) return
    const tools =
      list.current?.children[pressed.place]?.querySelectorAll<HTMLButtonElement>('[data-tool] button')
    const [up, down] = tools ?? []
    const [first, second] = pressed.tool === 'up' ? [up, down] : [down, up]
    const target = first?.disabled ? second : first
    target?.focus()
  }, [pressed])

  function move(place: number, by: -1 | 1) {
    give(moved(records, place, by))
    setPressed({ place: place + by, tool: by < 0 ? 'up' : 'down' })
  }

  const own = ownFaults(form, name, records.length)
  return (
    <fieldset className="min-w-0" aria-describedby={`${id}-said`}>
      <legend className="mb-1 font-medium">{label}</legend>
      <p id={`${id}-said`} className={`mb-2 text-sm ${own ? 'text-down' : 'text-soft'}`}>
        {own ? own.join('; ') : hint}
      </p>
      <ol ref={list} className="flex flex-col gap-3">
        {records.map((record, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and hold nothing but their values
          <li key={place} className="rounded-lg border border-line p-4">
            <fieldset className="flex min-w-0 flex-col gap-4">
              <legend className="sr-only">{t('Step {number} of the check', { number: place + 1 })}</legend>
              <div className="flex items-center gap-2" data-tool>
                <h3 className="mr-auto font-medium">
                  {t('Step {number} of the check', { number: place + 1 })}
                </h3>
                <Tool
                  label={t('Move step {number} up', { number: place + 1 })}
                  icon={ArrowUp}
                  disabled={place === 0}
                  onPress={() => move(place, -1)}
                />
                <Tool
                  label={t('Move step {number} down', { number: place + 1 })}
                  icon={ArrowDown}
                  disabled={place === records.length - 1}
                  onPress={() => move(place, 1)}
                />
                <Tool
                  label={t('Remove step {number}', { number: place + 1 })}
                  icon={X}
                  disabled={records.length <= min}
                  onPress={() => give(records.filter((_, at) => at !== place))}
                />
              </div>
              <RecordFields
                {...{ controls, words }}
                heard={t('of step {number}', { number: place + 1 })}
                form={innerForm(form, `${name}.${place}`, record, (next) =>
                  give(records.map((one, at) => (at === place ? next : one))),
                )}
              >
                {children}
              </RecordFields>
            </fieldset>
          </li>
        ))}
      </ol>
      {records.length < max && (
        <Button size="small" className="mt-3 h-9" onClick={() => give([...records, blank()])}>
          <Plus aria-hidden size={16} />
          {t('Add a step')}
        </Button>
      )}
    </fieldset>
  )
}

/** The fields that every object has, and the others, which open on demand. */
function RecordFields({
  controls,
  words,
  heard,
  form,
  children,
}: Pick<RecordsControl, 'controls'> &
  Pick<WithParts<RecordsControl>, 'words' | 'form' | 'children'> & {
    heard: string
  }) {
  const all = Object.entries(controls).map(([part, control]) => ({
    ...{ part, control, said: words[part] ?? { label: part } },
  }))
  const more = all.filter(({ said }) => said.isMore)
  const shown = ({ part, control, said }: (typeof all)[number]) => children(part, control, said, form, heard)
  const set = more.filter(({ part, control }) => {
    const value = form.draft[part]
    return JSON.stringify(value) !== JSON.stringify(draftOf({ [part]: control })[part])
  })
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2 sm:[&>:last-child:nth-child(odd)]:col-span-2">
        {all.filter(({ said }) => !said.isMore).map(shown)}
      </div>
      <FoldedFields
        title={t('More about this step')}
        said={set.map(({ said }) => t(said.label)).join(' · ')}
        names={more.map(({ part }) => part)}
        form={form}
      >
        {more.map(shown)}
      </FoldedFields>
    </>
  )
}

/** The form of one object: its fields by their names in it. */
function innerForm(form: Form, path: string, draft: Draft, give: (next: Draft) => void): Form {
  return {
    ...form,
    draft,
    set: (part, held) => give({ ...draft, [part]: held }),
    leave: (part) => form.leave(`${path}.${part}`),
    faults: (part) => form.faults(`${path}.${part}`),
  }
}

/** The faults of the list itself: those of a member stand there. */
function ownFaults(form: Form, name: string, count: number): string[] | undefined {
  const ofMembers = new Set(
    Array.from({ length: count }, (_, place) => form.faults(`${name}.${place}`) ?? []).flat(),
  )
  const own = (form.faults(name) ?? []).filter((fault) => !ofMembers.has(fault))
  return own.length > 0 ? own : undefined
}
