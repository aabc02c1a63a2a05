import type { ReactNode } from 'react'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Field, INPUT_LOOK, SelectField } from '../../parts/field.tsx'
import { FieldOf } from '../field-of.tsx'
import type { Form } from '../use-form.ts'
import { PAGE_CONTROLS, PAGE_OPTIONS, PAGE_TEXTS } from './page-fields.ts'

/** The color that browsers show for none. */
const USUAL_ACCENT = '#0b6e4f'

export function PageText({
  name,
  form,
  hint,
}: {
  name: keyof typeof PAGE_TEXTS
  form: Form
  hint?: ReactNode
}) {
  const text = PAGE_TEXTS[name]
  return (
    <FieldOf
      name={name}
      control={PAGE_CONTROLS[name]}
      text={hint === undefined ? text : { ...text, hint }}
      form={form}
    />
  )
}

/** A choice whose options have words. */
export function PageChoice({
  name,
  form,
  hint,
}: {
  name: keyof typeof PAGE_OPTIONS
  form: Form
  hint?: ReactNode
}) {
  return (
    <SelectField
      {...PAGE_TEXTS[name]}
      {...(hint !== undefined && { hint })}
      faults={form.faults(name)}
      value={String(form.draft[name])}
      onChange={({ target }) => form.set(name, target.value)}
    >
      {Object.entries(PAGE_OPTIONS[name]).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

/** A color by the browser's own picker, or as it is written. */
export function AccentField({ form }: { form: Form }) {
  const name = 'accent_color'
  const color = String(form.draft[name])
  return (
    <Field {...PAGE_TEXTS[name]} faults={form.faults(name)}>
      {(wired) => (
        <span className="flex gap-2">
          <input
            type="color"
            aria-label={t('Pick the accent color')}
            value={/^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : USUAL_ACCENT}
            onChange={({ target }) => form.set(name, target.value)}
            className="h-10 w-12 shrink-0 cursor-pointer rounded-md border border-line bg-panel p-1"
          />
          <input
            {...wired}
            value={color}
            placeholder="#0a6cff"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => form.set(name, target.value)}
            onBlur={() => form.leave(name)}
            className={`${INPUT_LOOK} h-10 min-w-0`}
          />
          {color !== '' && (
            <Button tone="quiet" onClick={() => form.set(name, '')}>
              {t('Clear')}
            </Button>
          )}
        </span>
      )}
    </Field>
  )
}
