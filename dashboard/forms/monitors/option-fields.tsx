import type { MonitorType } from '../../../src/core/monitors/monitor.ts'
import { neededOptionsOf } from '../../../src/core/monitors/monitor-types.ts'
import { OPTION_GROUPS } from '../../../src/core/monitors/options/option.ts'
import { keysOf } from '../../../src/core/shape.ts'
import { t } from '../../language/language.ts'
import type { Control } from '../controls.ts'
import { FieldOf } from '../field-of.tsx'
import type { Form } from '../use-form.ts'
import { FoldedFields } from './folded-fields.tsx'
import { OPTION_CONTROLS, optionField, optionFieldsOf, optionTextOf, setOptions } from './option-draft.ts'
import { sayOptions } from './option-words.ts'

/** The options that a type cannot be without, and the rule of a group: their form shows them at once. */
export function NeededFields(around: Around) {
  return neededFieldsOf(around.type).map((field) => <OptionField key={field} field={field} {...around} />)
}

function neededFieldsOf(type: MonitorType): string[] {
  const needed = neededOptionsOf(type).map(optionField)
  return optionFieldsOf(type).filter(
    (field) => needed.includes(field) || optionFieldsOf(type, 'group').includes(field),
  )
}

/** `self`: the ID of the monitor that the form is about; undefined for a new one. */
type Around = { type: MonitorType; form: Form; self: number | undefined }

function OptionField({ field, type, ...around }: { field: string } & Around) {
  const control = OPTION_CONTROLS[field] as Control
  return <FieldOf name={field} control={control} text={optionTextOf(field, type)} {...around} />
}

/** The other options of a monitor in its form, by group. Each group is folded, and says what is set. */
export function OptionGroups({ type, form, self }: { type: MonitorType } & Around) {
  const needed = neededFieldsOf(type)
  return keysOf(OPTION_GROUPS).map((group) => {
    const fields = optionFieldsOf(type, group).filter((field) => !needed.includes(field))
    if (fields.length === 0) return null
    return (
      <FoldedFields
        key={group}
        title={t(OPTION_GROUPS[group])}
        said={sayOptions(setOptions(form.draft, fields))}
        names={fields}
        form={form}
      >
        {fields.map((field) => (
          <OptionField key={field} {...{ field, type, form, self }} />
        ))}
      </FoldedFields>
    )
  })
}
