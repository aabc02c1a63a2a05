import type { ReactNode } from 'react'
import type { OptionPart } from '../../../src/core/monitors/options/option.ts'
import { t } from '../../language/language.ts'
import { SelectField } from '../../parts/field.tsx'
import type { Control, PartsControl } from '../controls.ts'
import { draftOf, type Held } from '../draft.ts'
import type { Form } from '../use-form.ts'
import { ofKind, partsIn, writeParts } from './parts-draft.ts'

type Words = Readonly<Record<string, OptionPart>>

/** A field of several parts; `children` makes each of them, in a form of its own. */
export type WithParts<Whole> = {
  name: string
  control: Whole
  label: string
  hint: ReactNode
  words: Words
  form: Form
  /** `heard`: said behind the labels of a record, where there are several. */
  children: (part: string, control: Control, words: OptionPart, form: Form, heard?: string) => ReactNode
}

/** The members of an object as fields of their own, of the kind that is chosen. */
export function PartsFields({ name, control, label, hint, words, form, children }: WithParts<PartsControl>) {
  const { kind, typed } = partsIn(control, form.draft[name])
  const draft = { ...draftOf(kind?.controls ?? {}), ...(typed as Record<string, Held>) }
  const inner: Form = {
    ...form,
    draft,
    set: (part, held) => form.set(name, writeParts({ kind, typed: { ...draft, [part]: held } })),
    leave: () => form.leave(name),
    faults: (part) => form.faults(`${name}.${part}`),
  }
  const { chooser, kinds } = control
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{label}</legend>
      {hint && <p className="mb-2 text-sm text-soft">{hint}</p>}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {chooser !== null && (
          <SelectField
            label={t(words[chooser]?.label ?? chooser)}
            // Those of a member stand there.
            faults={kind === null ? form.faults(name) : form.faults(`${name}.${chooser}`)}
            value={kind?.name ?? ''}
            onChange={({ target }) => form.set(name, writeParts(ofKind(control, target.value)))}
            onBlur={() => form.leave(name)}
          >
            <option value="">–</option>
            {kinds.map((one) => (
              <option key={one.name} value={one.name}>
                {t(words[chooser]?.choices?.[one.name] ?? one.name)}
              </option>
            ))}
          </SelectField>
        )}
        {Object.entries(kind?.controls ?? {}).map(([part, one]) =>
          children(part, one, words[part] ?? { label: part }, inner),
        )}
      </div>
    </fieldset>
  )
}
