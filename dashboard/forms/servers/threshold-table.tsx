import { useId } from 'react'
import { isNamed } from '../../../src/core/servers/condition.ts'
import { CONDITION_WORDS } from '../../../src/core/servers/condition-words.ts'
import type { Hosted } from '../../../src/core/servers/hosted.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { INPUT_LOOK } from '../../parts/field.tsx'
import type { Form } from '../use-form.ts'
import {
  defaultLines,
  isChanged,
  KINDS,
  type Kind,
  LEVEL_WORDS,
  type LevelName,
  pathOf,
  SERVER_CONTROLS,
  sayLevel,
} from './server-fields.ts'
import { LEVEL_UNITS, sayNamed, saySilence, sayThreshold } from './threshold-words.ts'
import { WatchedNames } from './watched-names.tsx'

const COLUMNS =
  'lg:grid lg:grid-cols-[3rem_minmax(0,1fr)_7.5rem_7.5rem_6rem_5rem_5.5rem] lg:items-center lg:gap-x-3'

/**
 * One line for each condition of a server; one that is off has no fields but its tick. On a narrow screen the values are below
 * its name.
 */
export function ThresholdTable({ form, hosted }: { form: Form; hosted: Hosted | null }) {
  return (
    <div>
      <div
        aria-hidden
        className={`hidden border-b border-line px-4 py-2 text-sm font-medium text-soft ${COLUMNS}`}
      >
        <span>{LEVEL_WORDS.is_on}</span>
        <span>{t('Condition')}</span>
        <span>{LEVEL_WORDS.enter}</span>
        <span>{LEVEL_WORDS.leave}</span>
        <span>{LEVEL_WORDS.minutes}</span>
        <span>{LEVEL_WORDS.warns_only}</span>
      </div>
      <ul className="divide-y divide-line" aria-label={t('Thresholds')}>
        {KINDS.map((kind) => (
          <Line key={kind} kind={kind} form={form} hosted={hosted} />
        ))}
      </ul>
    </div>
  )
}

function Line({ kind, form, hosted }: { kind: Kind; form: Form; hosted: Hosted | null }) {
  const id = useId()
  const name = t(CONDITION_WORDS[kind])
  const isOn = form.draft[pathOf(kind, 'is_on')] === true
  const text = (level: LevelName) => String(form.draft[pathOf(kind, level)] ?? '')
  const faults = levelsOf(kind).flatMap((level) => form.faults(pathOf(kind, level)) ?? [])
  const hasFields = isOn || faults.length > 0
  const level = (which: LevelName, unit = '') => (
    <Level kind={kind} level={which} unit={unit} form={form} said={`${id}-said`} />
  )
  return (
    <li className={`flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 ${COLUMNS}`}>
      <Flag kind={kind} level="is_on" form={form} label={t('{name} is on', { name })} />
      <div className={`min-w-0 max-lg:order-1 max-lg:basis-full ${hasFields ? '' : 'lg:col-span-5'}`}>
        <span className="font-medium">{name}</span>
        <p id={`${id}-said`} className={`text-sm ${faults.length > 0 ? 'text-down' : 'text-soft'}`}>
          {faults.length > 0
            ? `${faults.join('; ')}.`
            : `${isOn ? '' : `${t('Off.')} `}${
                kind === 'silent'
                  ? saySilence(text('seconds'))
                  : isNamed(kind)
                    ? sayNamed(kind, text('minutes'))
                    : sayThreshold(kind, {
                        enter: text('enter'),
                        leave: text('leave'),
                        minutes: text('minutes'),
                      })
              }`}
        </p>
      </div>
      <span className="order-3 basis-full lg:hidden" />
      {!hasFields ? null : kind === 'silent' ? (
        <>
          {level('seconds', LEVEL_UNITS.silent)}
          <span className="max-lg:hidden" />
          <span className="max-lg:hidden" />
        </>
      ) : isNamed(kind) ? (
        <>
          <WatchedNames kind={kind} hosted={hosted} form={form} said={`${id}-said`} />
          {level('minutes')}
        </>
      ) : (
        <>
          {level('enter', LEVEL_UNITS[kind])}
          {level('leave', LEVEL_UNITS[kind])}
          {level('minutes')}
        </>
      )}
      {hasFields && (
        <Flag kind={kind} level="warns_only" form={form} label={t('{name} warns only', { name })} />
      )}
      <span className="max-lg:order-2 max-lg:ml-auto">
        {isChanged(kind, form.draft) && (
          <Button
            size="small"
            tone="quiet"
            aria-label={t('Reset {name} to its default', { name })}
            onClick={() => {
              for (const [path, held] of Object.entries(defaultLines(kind))) form.set(path, held)
            }}
          >
            {t('Reset')}
          </Button>
        )}
      </span>
    </li>
  )
}

function levelsOf(kind: Kind): LevelName[] {
  if (kind === 'silent') return ['seconds']
  return isNamed(kind) ? ['names', 'minutes'] : ['enter', 'leave', 'minutes']
}

function Flag({
  kind,
  level,
  form,
  label,
}: {
  kind: Kind
  level: 'is_on' | 'warns_only'
  form: Form
  label: string
}) {
  const path = pathOf(kind, level)
  return (
    <label className="inline-flex min-h-10 items-center gap-2 max-lg:order-2 max-lg:mr-4">
      <input
        type="checkbox"
        aria-label={label}
        className="size-4.5 accent-accent"
        checked={form.draft[path] === true}
        onChange={({ target }) => form.set(path, target.checked)}
      />
      <span aria-hidden className="text-sm lg:hidden">
        {LEVEL_WORDS[level]}
      </span>
    </label>
  )
}

function Level({
  kind,
  level,
  unit,
  form,
  said,
}: {
  kind: Kind
  level: LevelName
  unit: string
  form: Form
  /** The id of the sentence about the line. */
  said: string
}) {
  const path = pathOf(kind, level)
  const control = SERVER_CONTROLS[path]
  const isFaulty = form.faults(path) !== undefined
  return (
    <label className="block max-lg:order-4 max-lg:max-w-32 max-lg:flex-1">
      <span aria-hidden className="mb-1 block text-sm text-soft lg:hidden">
        {LEVEL_WORDS[level]}
      </span>
      <span className="flex items-center gap-1.5">
        <input
          name={path}
          aria-label={sayLevel(kind, level)}
          aria-describedby={said}
          {...(isFaulty && { 'aria-invalid': true })}
          inputMode={control?.kind === 'number' && !control.isWhole ? 'decimal' : 'numeric'}
          autoComplete="off"
          value={String(form.draft[path] ?? '')}
          onChange={({ target }) => form.set(path, target.value)}
          onBlur={() => form.leave(path)}
          className={`${INPUT_LOOK} h-10 min-w-0 flex-1 px-2 text-right`}
        />
        <span aria-hidden className="min-w-4 text-sm whitespace-nowrap text-soft">
          {unit}
        </span>
      </span>
    </label>
  )
}
