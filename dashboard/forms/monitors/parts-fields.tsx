import type { OptionPart } from '../../../src/core/monitors/options/option.ts'
import { t } from '../../language/language.ts'
import { SelectField } from '../../parts/field.tsx'
import type { Control, PartsControl } from '../controls.ts'
import { FieldOf, type FieldText } from '../field-of.tsx'
import type { Form } from '../use-form.ts'
import { ofKind, partsIn, writeParts } from './parts-draft.ts'

/** The members of an object as fields of their own, of the kind that is chosen. */
export function PartsFields({
  name,
  control,
  text,
  form,
}: {
  name: string
  control: PartsControl
  text: FieldText
  form: Form
}) {
  const { kind, draft } = partsIn(control, form.draft[name])
  const words = text.parts ?? {}
  const inner: Form = {
    ...form,
    draft,
    set: (part, held) => form.set(name, writeParts({ kind, draft: { ...draft, [part]: held } })),
    leave: () => form.leave(name),
    faults: (part) => form.faults(`${name}.${part}`),
  }
  const { chooser, kinds } = control
  // Faults of a member stand there.
  const own = chooser === null ? undefined : form.faults(`${name}.${chooser}`)
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{text.label}</legend>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {chooser !== null && (
          <SelectField
            label={labelOf(words, chooser)}
            faults={own}
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
        {Object.entries(kind?.controls ?? {}).map(([part, one]) => (
          <FieldOf key={part} name={part} control={one as Control} text={textOf(words, part)} form={inner} />
        ))}
      </div>
      {text.hint && <p className="mt-1 text-sm text-soft">{text.hint}</p>}
    </fieldset>
  )
}

function labelOf(words: Readonly<Record<string, OptionPart>>, part: string): string {
  return t(words[part]?.label ?? part)
}

function textOf(words: Readonly<Record<string, OptionPart>>, part: string): FieldText {
  const { hint, choices } = words[part] ?? {}
  return { label: labelOf(words, part), ...(hint && { hint: t(hint) }), ...(choices && { choices }) }
}
