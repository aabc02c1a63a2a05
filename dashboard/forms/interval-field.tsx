import { useState } from 'react'
import { MONITOR_TYPES, type MonitorType } from '../../src/core/monitors/monitor-types.ts'
import type { Team } from '../../src/core/teams/team.ts'
import { t } from '../language/language.ts'
import { SelectField } from '../parts/field.tsx'
import { sayInterval } from '../parts/figures.ts'
import { AmountField } from './amount-field.tsx'
import { MINUTE_STEPS, MONITOR_FIELDS } from './monitor-fields.ts'
import type { Form } from './use-form.ts'

const MINUTES = 'check_interval_minutes'
const SECONDS = 'check_interval_seconds'
const OTHER = 'other'

const UNITS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const

/** The check interval: a step of the API, a common exact interval, or any other. */
export function IntervalField({ type, form, team }: { type: MonitorType; form: Form; team: Team }) {
  const seconds = String(form.draft[SECONDS] ?? '')
  const presets: Record<number, string> = MONITOR_TYPES[type].intervals
  const [isOther, setOther] = useState(seconds !== '' && !(Number(seconds) in presets))
  const isListed = Number(seconds) in presets
  const chosen =
    isOther || (seconds !== '' && !isListed)
      ? OTHER
      : seconds !== ''
        ? `s${seconds}`
        : `m${form.draft[MINUTES]}`
  // A job is late by its schedule alone. The field stays where it is: it would move what is being typed below.
  const isScheduled = type === 'heartbeat' && String(form.draft['options.schedule'] ?? '').trim() !== ''
  const faults = [...(form.faults(MINUTES) ?? []), ...(form.faults(SECONDS) ?? [])]

  function choose(choice: string) {
    setOther(choice === OTHER)
    if (choice.startsWith('m')) {
      form.set(MINUTES, choice.slice(1))
      form.set(SECONDS, '')
    } else if (choice.startsWith('s')) form.set(SECONDS, choice.slice(1))
    else form.set(SECONDS, seconds || String(Number(form.draft[MINUTES]) * 60))
  }

  const steps = [
    ...MINUTE_STEPS.filter(
      (step) => step >= team.min_interval_minutes || String(step) === form.draft[MINUTES],
    ).map((step) => ({ value: `m${step}`, label: sayInterval(step * 60), seconds: step * 60 })),
    ...Object.entries(presets)
      .filter(([preset]) => Number(preset) >= team.min_interval_seconds || preset === seconds)
      .map(([preset, label]) => ({ value: `s${preset}`, label: t(label), seconds: Number(preset) })),
  ].sort((a, b) => a.seconds - b.seconds)

  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        label={MONITOR_TYPES[type].isProbed ? MONITOR_FIELDS[MINUTES].label : t('Expect a ping every')}
        hint={isScheduled ? t('Not used while a job schedule is set below.') : hintOf(type, team)}
        disabled={isScheduled}
        {...(chosen !== OTHER && faults.length > 0 && { faults })}
        value={chosen}
        onChange={(event) => choose(event.target.value)}
      >
        {steps.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        <option value={OTHER}>{t('Another interval…')}</option>
      </SelectField>
      {chosen === OTHER && (
        <AmountField
          label={MONITOR_FIELDS[SECONDS].label}
          units={UNITS}
          value={seconds}
          faults={faults}
          onGive={(given) => form.set(SECONDS, given)}
          onLeave={() => form.leave(SECONDS)}
        />
      )}
    </div>
  )
}

function hintOf(type: MonitorType, team: Team): string {
  const limit = t('The {plan} plan checks at most every {interval}.', {
    plan: team.plan,
    interval: sayInterval(team.min_interval_seconds),
  })
  if (!MONITOR_TYPES[type].isProbed)
    return t('Longer than the time between two runs, unless the times of the job or a grace are set below.')
  return team.min_interval_seconds > 1 ? limit : t('Outages are noticed within this time.')
}
