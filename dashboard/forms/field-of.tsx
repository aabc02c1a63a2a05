import type { InputHTMLAttributes, ReactNode } from 'react'
import type { AnswerPart } from '../../src/core/expectations/assertion.ts'
import type { OptionPart, TimeUnit } from '../../src/core/monitors/options/option.ts'
import { t } from '../language/language.ts'
import { LinesField, SelectField, TextField, Tick } from '../parts/field.tsx'
import { AmountField, UNITS_FROM } from './amount-field.tsx'
import type { Control } from './controls.ts'
import { AssertionRows } from './monitors/assertion-rows.tsx'
import { CaptureRows } from './monitors/capture-rows.tsx'
import { MembersField } from './monitors/members-field.tsx'
import { ParentsField } from './monitors/parents-field.tsx'
import { PartsFields } from './monitors/parts-fields.tsx'
import { RecordsField } from './monitors/records-field.tsx'
import { RuleField } from './monitors/rule-field.tsx'
import { PairRows } from './pair-rows.tsx'
import type { Form } from './use-form.ts'
import { ZoneField } from './zone-field.tsx'

/** The words about a field. Everything else about it comes from its schema. */
export type FieldText = {
  label: string
  hint?: ReactNode
  placeholder?: string
  /** The text of the button that adds a row. */
  add?: string
  /** The words of the values of a choice, where they are not shown as they are. */
  choices?: Readonly<Record<string, string>>
  /** Those of its values that may be chosen, where not all may. */
  offered?: readonly string[]
  /** Said behind the label where it is heard: which of several of the same label. */
  heard?: string | undefined
  /** The words of the members of an object. */
  parts?: Readonly<Record<string, OptionPart>>
  /** The unit of a length of time. */
  unit?: TimeUnit
  /** The parts of an answer that assertions may read. */
  sources?: readonly AnswerPart[]
  /** It is the name of a time zone. */
  isZone?: true
  /** Tells the browser how to treat the input. */
  input?: Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'autoComplete' | 'inputMode' | 'spellCheck'>
}

/** The control of a field, connected to its form. */
export function FieldOf({
  name,
  control,
  text,
  form,
  onLeave,
  autoFocus = false,
  self,
}: {
  name: string
  control: Control
  text: FieldText
  form: Form
  /** Completes the typed text before the field is judged. */
  onLeave?: () => void
  autoFocus?: boolean
  /** The ID of the record that the form is about; undefined for a new one. */
  self?: number | undefined
}) {
  const held = form.draft[name]
  const { label, placeholder, input } = text
  const hint = text.hint ?? boundsHint(control)
  const around = { label, heard: text.heard, ...(hint !== undefined && { hint }), faults: form.faults(name) }
  const leave = () => {
    onLeave?.()
    form.leave(name)
  }
  switch (control.kind) {
    case 'tick':
      return (
        <Tick
          label={label}
          hint={hint}
          checked={held === true}
          onChange={(event) => form.set(name, event.target.checked)}
        />
      )
    case 'choice':
      return (
        <SelectField
          {...around}
          value={String(held)}
          onChange={(event) => form.set(name, event.target.value)}
          onBlur={leave}
        >
          {control.nullable && <option value="">{placeholder ?? '–'}</option>}
          {(text.offered ?? control.options).map((option) => (
            <option key={option} value={option}>
              {text.choices?.[option] === undefined ? option : t(text.choices[option])}
            </option>
          ))}
        </SelectField>
      )
    case 'lines':
      return (
        <LinesField
          {...around}
          name={name}
          value={String(held ?? '')}
          onChange={(event) => form.set(name, event.target.value)}
          onBlur={leave}
        />
      )
    case 'pairs':
      return <PairRows name={name} around={around} add={text.add ?? t('Add')} form={form} />
    case 'parts':
      return (
        <PartsFields {...{ name, control, label, form }} hint={text.hint} words={text.parts ?? {}}>
          {(part, one, words, inner) => (
            <FieldOf key={part} name={part} control={one} text={textOfPart(words)} form={inner} />
          )}
        </PartsFields>
      )
    case 'records':
      return (
        <RecordsField {...{ name, control, label, form }} hint={text.hint} words={text.parts ?? {}}>
          {(part, one, words, inner, heard) => (
            <FieldOf
              key={part}
              name={part}
              control={one}
              text={{ ...textOfPart(words), heard }}
              form={inner}
            />
          )}
        </RecordsField>
      )
    case 'captures':
      return <CaptureRows name={name} around={around} form={form} />
    case 'members':
      return <MembersField name={name} label={label} form={form} self={self} />
    case 'rule':
      return <RuleField name={name} label={label} hint={text.hint} form={form} />
    case 'monitors':
      return <ParentsField name={name} around={around} form={form} self={self} />
    case 'assertions':
      return <AssertionRows name={name} around={around} offered={text.sources ?? []} form={form} />
    default:
      if (text.isZone) return <ZoneField {...{ form, name, label, hint }} />
      if (text.unit)
        return (
          <AmountField
            {...around}
            units={UNITS_FROM[text.unit]}
            value={String(held ?? '')}
            onGive={(value) => form.set(name, value)}
            onLeave={leave}
            isOptional={control.nullable}
            {...(placeholder && { placeholder })}
          />
        )
      return (
        <TextField
          {...around}
          name={name}
          value={String(held ?? '')}
          onChange={(event) => form.set(name, event.target.value)}
          onBlur={leave}
          // Enter submits the form while the field keeps the focus.
          onKeyDown={(event) => event.key === 'Enter' && leave()}
          autoComplete="off"
          spellCheck={false}
          {...(control.kind === 'number' && { inputMode: 'numeric' })}
          {...(placeholder && { placeholder })}
          {...input}
          autoFocus={autoFocus}
        />
      )
  }
}

function textOfPart({ label, hint, choices, sources }: OptionPart): FieldText {
  return {
    label: t(label),
    ...(hint && { hint: t(hint) }),
    ...(choices && { choices }),
    ...(sources && { sources }),
  }
}

function boundsHint(control: Control): string | undefined {
  return control.kind === 'number'
    ? t('{min, number} to {max, number}.', { min: control.min, max: control.max })
    : undefined
}
