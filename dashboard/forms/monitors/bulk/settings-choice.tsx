import { useState } from 'react'
import type { Contact } from '../../../../src/core/alerting/contact.ts'
import { MonitorPatch } from '../../../../src/core/monitors/monitor.ts'
import { MONITOR_TYPES, TYPES_BY_PLACE } from '../../../../src/core/monitors/monitor-types.ts'
import type { Team } from '../../../../src/core/teams/team.ts'
import { parseFields } from '../../../../src/core/validation.ts'
import { t } from '../../../language/language.ts'
import { sayList } from '../../../language/list.ts'
import { Button } from '../../../parts/button.tsx'
import { Tick } from '../../../parts/field.tsx'
import { ContactTicks } from '../../contact-ticks.tsx'
import type { Control } from '../../controls.ts'
import { draftOf, idsIn, readDraft } from '../../draft.ts'
import { FieldOf } from '../../field-of.tsx'
import { FormFrame } from '../../form-frame.tsx'
import { IntervalField } from '../../interval-field.tsx'
import { MONITOR_CONTROLS, MONITOR_FIELDS, shortestMinutes } from '../../monitor-fields.ts'
import { NO_POLICY, POLICY, usePolicies } from '../../on-call/policy-beside.ts'
import { PolicyField } from '../../on-call/policy-field.tsx'
import { type Form, useForm } from '../../use-form.ts'
import { OPTION_CONTROLS, optionTextOf, optionValues, readOptions } from '../option-draft.ts'
import {
  isOf,
  isOptionSetting,
  SHARED_SETTINGS,
  type SharedSetting,
  type SharedValues,
} from './settings-plan.ts'

/** New values, and which settings they are for. */
export type Chosen = { values: SharedValues; settings: SharedSetting[] }

/** The name of a setting, as the form of a monitor has it. */
export function labelOf(setting: SharedSetting): string {
  if (isOptionSetting(setting)) return optionTextOf(setting).label
  return setting === 'policy_id' ? t('Escalation policy') : MONITOR_FIELDS[setting].label
}

/** Chooses which settings change, and to what. */
export function SettingsChoice({
  team,
  contacts,
  onCancel,
  onChosen,
}: {
  team: Team
  contacts: Contact[]
  onCancel: () => void
  onChosen: (chosen: Chosen) => void
}) {
  const hasPolicies = usePolicies(team.id).length > 0
  const [settings, setSettings] = useState<SharedSetting[]>([])
  const [initial] = useState(() => ({
    ...draftOf(MONITOR_CONTROLS, { check_interval_minutes: shortestMinutes(team.min_interval_minutes) }),
    ...draftOf(OPTION_CONTROLS, optionValues(null)),
    [POLICY]: NO_POLICY,
  }))
  const form = useForm<SharedValues, SharedValues>({
    initial,
    names: [...SHARED_SETTINGS, 'check_interval_seconds', POLICY],
    judge(draft) {
      const names = settings.flatMap((setting) =>
        setting === 'check_interval_minutes' ? [setting, 'check_interval_seconds'] : [setting],
      )
      const options = readOptions(draft, settings.filter(isOptionSetting))
      const read = parseFields(MonitorPatch, { ...readDraft(MONITOR_CONTROLS, draft, names), options })
      if (!read.ok || !settings.includes('policy_id')) return read
      const policy = draft[POLICY]
      return { ok: true, value: { ...read.value, policy_id: policy === NO_POLICY ? null : Number(policy) } }
    },
    send: async (values) => values,
    onDone: (values) =>
      onChosen({ values, settings: SHARED_SETTINGS.filter((setting) => settings.includes(setting)) }),
  })
  const offered = SHARED_SETTINGS.filter((setting) => setting !== 'policy_id' || hasPolicies)
  const parts = { form, team, contacts }
  return (
    <FormFrame
      form={form}
      verb={t('Preview')}
      guarded={false}
      disabled={settings.length === 0}
      beside={
        <Button tone="quiet" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      }
    >
      <p className="text-soft">{t('Tick what changes. Everything else stays as it is.')}</p>
      <div className="-mx-1 flex max-h-[55vh] flex-col gap-3 scrolls px-1">
        {offered.map((setting) => {
          const isTicked = settings.includes(setting)
          return (
            <div key={setting}>
              <Tick
                label={labelOf(setting)}
                hint={typesOf(setting)}
                checked={isTicked}
                onChange={({ target }) =>
                  setSettings((all) =>
                    target.checked ? [...all, setting] : all.filter((other) => other !== setting),
                  )
                }
              />
              {isTicked && (
                <div className="mt-2 ml-7">
                  <Value setting={setting} {...parts} />
                </div>
              )}
            </div>
          )
        })}
      </div>
    </FormFrame>
  )
}

function Value({
  setting,
  form,
  team,
  contacts,
}: {
  setting: SharedSetting
  form: Form
  team: Team
  contacts: Contact[]
}) {
  if (setting === 'check_interval_minutes') return <IntervalField type="http" form={form} team={team} />
  if (setting === 'policy_id') return <PolicyField team={team.id} policy={undefined} form={form} />
  if (setting === 'notification_contact_ids') {
    return (
      <ContactTicks
        label={labelOf(setting)}
        contacts={contacts}
        ticked={idsIn(form.draft[setting])}
        team={team.id}
        faults={form.faults(setting)}
        onTick={(ids) => form.set(setting, ids.join(', '))}
      />
    )
  }
  if (isOptionSetting(setting))
    return (
      <FieldOf
        name={setting}
        control={OPTION_CONTROLS[setting] as Control}
        text={optionTextOf(setting)}
        form={form}
      />
    )
  return (
    <FieldOf name={setting} control={MONITOR_CONTROLS[setting]} text={MONITOR_FIELDS[setting]} form={form} />
  )
}

/** The types that have a setting, where not all have it. */
function typesOf(setting: SharedSetting): string | undefined {
  const types = TYPES_BY_PLACE.filter((type) => isOf(type, setting))
  if (types.length === TYPES_BY_PLACE.length) return undefined
  return t('For {types}.', { types: sayList(types.map((type) => t(MONITOR_TYPES[type].word))) })
}
