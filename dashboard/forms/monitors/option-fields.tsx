import type { MonitorType } from '../../../src/core/monitors/monitor.ts'
import { neededOptionsOf } from '../../../src/core/monitors/monitor-types.ts'
import type { OptionName } from '../../../src/core/monitors/options/entries.ts'
import { optionOf } from '../../../src/core/monitors/options/monitor-options.ts'
import { OPTION_GROUPS } from '../../../src/core/monitors/options/option.ts'
import { keysOf } from '../../../src/core/shape.ts'
import { t } from '../../language/language.ts'
import type { Control } from '../controls.ts'
import { FieldOf } from '../field-of.tsx'
import type { Form } from '../use-form.ts'
import { FoldedFields } from './folded-fields.tsx'
import { OPTION_CONTROLS, optionFieldsOf, optionTextOf, setOptions } from './option-draft.ts'
import { sayOptions } from './option-words.ts'

/** The members and rule of a group, which its form shows at once. */
export function GroupFields(around: Around) {
  return optionFieldsOf(around.type, 'group').map((field) => (
    <OptionField key={field} field={field} {...around} />
  ))
}

/** `self`: the ID of the monitor that the form is about; undefined for a new one. */
type Around = { type: MonitorType; form: Form; self: number | undefined }

function OptionField({ field, type, ...around }: { field: string } & Around) {
  const control = OPTION_CONTROLS[field] as Control
  return <FieldOf name={field} control={control} text={optionTextOf(field, type)} {...around} />
}

/** The other options of a monitor in its form, by group. Each group is folded unless it has what a monitor needs, and says what is set. */
export function OptionGroups({ type, form, self }: { type: MonitorType } & Around) {
  return keysOf(OPTION_GROUPS).map((group) => {
    if (group === 'group') return null
    const fields = optionFieldsOf(type, group)
    if (fields.length === 0) return null
    const isNeeded = neededOptionsOf(type).some((name) => optionOf(name as OptionName).group === group)
    return (
      <FoldedFields
        key={isNeeded ? `${group} of ${type}` : group}
        opened={isNeeded}
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
