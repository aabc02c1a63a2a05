import { useState } from 'react'
import { FREQUENCIES, WEEKDAYS } from '../../../src/core/maintenance/recurrence.ts'
import { LOCALE, t } from '../../language/language.ts'
import { DAY_NAMES } from '../../language/weekdays.ts'
import { WeekdayChoice } from '../../parts/calendar/weekday-choice.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import type { Form } from '../use-form.ts'
import { type DayChoice, ORDINALS, type Repeat, type RepeatEnd, repeatOf, ruleOf, WEEKLY } from './repeat.ts'
import { WINDOW_TEXTS } from './window-texts.ts'

const FREQUENCY_WORDS = {
  DAILY: { word: t('Daily'), interval: t('Every how many days') },
  WEEKLY: { word: t('Weekly'), interval: t('Every how many weeks') },
  MONTHLY: { word: t('Monthly'), interval: t('Every how many months') },
  YEARLY: { word: t('Yearly'), interval: t('Every how many years') },
} as const

const DAY_WORDS = {
  start: t('the day of the first start'),
  number: t('a day of the month'),
  weekday: t('a weekday of the month'),
} as const satisfies Record<DayChoice, string>

const ORDINAL_WORDS = [t('first'), t('second'), t('third'), t('fourth'), t('last')]
const END_WORDS = { never: t('never'), count: t('after a number of times'), until: t('on a day') } as const

const monthName = new Intl.DateTimeFormat(LOCALE, { month: 'long', timeZone: 'UTC' })
const MONTHS = Array.from({ length: 12 }, (_, index) => monthName.format(Date.UTC(2026, index, 1)))

type Change = (part: Partial<Repeat>) => void

/** The days of a recurring window by choices, and as the rule that they write. */
export function RepeatBuilder({ form, faults }: { form: Form; faults: string[] | undefined }) {
  const rule = String(form.draft.rule)
  const [kept, setKept] = useState<Repeat>(() => repeatOf(rule) ?? WEEKLY)
  // A rule that was written by hand, or that came from a colleague, moves the choices.
  const repeat = ruleOf(kept) === rule ? kept : repeatOf(rule, kept)

  function change(part: Partial<Repeat>) {
    const next = { ...(repeat ?? kept), ...part }
    setKept(next)
    form.set('rule', ruleOf(next))
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="sr-only">{t('Repeats')}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={t('Repeats')}
          value={repeat?.freq ?? ''}
          onChange={({ target }) => change({ freq: target.value as Repeat['freq'] })}
        >
          {!repeat && <option value="">{t('by a rule of its own')}</option>}
          {FREQUENCIES.map((freq) => (
            <option key={freq} value={freq}>
              {FREQUENCY_WORDS[freq].word}
            </option>
          ))}
        </SelectField>
        {repeat && (
          <TextField
            label={FREQUENCY_WORDS[repeat.freq].interval}
            inputMode="numeric"
            autoComplete="off"
            value={repeat.interval}
            onChange={({ target }) => change({ interval: target.value })}
            onBlur={() => form.leave('rule')}
          />
        )}
      </div>
      {repeat?.freq === 'WEEKLY' && <WeekDays repeat={repeat} change={change} />}
      {(repeat?.freq === 'MONTHLY' || repeat?.freq === 'YEARLY') && (
        <DayOfMonth repeat={repeat} change={change} />
      )}
      {repeat && <Ends repeat={repeat} change={change} onLeave={() => form.leave('rule')} />}
      <TextField
        {...WINDOW_TEXTS.rule}
        {...(faults && { faults })}
        value={rule}
        onChange={({ target }) => form.set('rule', target.value)}
        onBlur={() => form.leave('rule')}
        autoComplete="off"
        spellCheck={false}
      />
    </fieldset>
  )
}

type Part = { repeat: Repeat; change: Change }

function WeekDays({ repeat, change }: Part) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{t('On')}</legend>
      <WeekdayChoice chosen={repeat.weekdays} onChange={(weekdays) => change({ weekdays })} />
      {repeat.weekdays.length === 0 && (
        <p className="mt-1 text-sm text-soft">{t('None chosen: the weekday of the first start.')}</p>
      )}
    </fieldset>
  )
}

function DayOfMonth({ repeat, change }: Part) {
  const isYearly = repeat.freq === 'YEARLY'
  const select = (
    label: string,
    value: string,
    options: readonly (readonly [string, string])[],
    name: keyof Repeat,
  ) => (
    <SelectField label={label} value={value} onChange={({ target }) => change({ [name]: target.value })}>
      {options.map(([option, word]) => (
        <option key={option} value={option}>
          {word}
        </option>
      ))}
    </SelectField>
  )
  const numbers = Array.from({ length: 31 }, (_, index) => [`${index + 1}`, `${index + 1}`] as const)
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {select(t('On'), repeat.by, Object.entries(DAY_WORDS), 'by')}
      {isYearly &&
        repeat.by !== 'start' &&
        select(
          t('Month'),
          repeat.month,
          MONTHS.map((word, index) => [`${index + 1}`, word]),
          'month',
        )}
      {repeat.by === 'number' &&
        select(t('Day'), repeat.monthDay, [...numbers, ['-1', t('the last')]], 'monthDay')}
      {repeat.by === 'weekday' && (
        <div className="grid grid-cols-2 gap-3">
          {select(
            t('Which'),
            repeat.ordinal,
            ORDINALS.map((value, index) => [value, ORDINAL_WORDS[index] ?? '']),
            'ordinal',
          )}
          {select(
            t('Weekday'),
            repeat.weekday,
            WEEKDAYS.map((day, index) => [day, DAY_NAMES[index] ?? day]),
            'weekday',
          )}
        </div>
      )}
    </div>
  )
}

function Ends({ repeat, change, onLeave }: Part & { onLeave: () => void }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        label={t('Ends')}
        value={repeat.end}
        onChange={({ target }) => change({ end: target.value as RepeatEnd })}
      >
        {Object.entries(END_WORDS).map(([end, word]) => (
          <option key={end} value={end}>
            {word}
          </option>
        ))}
      </SelectField>
      {repeat.end === 'count' && (
        <TextField
          label={t('Number of times')}
          inputMode="numeric"
          autoComplete="off"
          value={repeat.count}
          onChange={({ target }) => change({ count: target.value })}
          onBlur={onLeave}
        />
      )}
      {repeat.end === 'until' && (
        <TextField
          label={t('Last day')}
          type="date"
          value={repeat.until}
          onChange={({ target }) => change({ until: target.value })}
          onBlur={onLeave}
        />
      )}
    </div>
  )
}
