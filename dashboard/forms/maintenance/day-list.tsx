import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Field, INPUT_LOOK } from '../../parts/field.tsx'
import { sayDay } from '../../parts/maintenance/zoned-text.ts'
import { listedIn } from '../draft.ts'
import type { Form } from '../use-form.ts'
import { WINDOW_TEXTS } from './window-texts.ts'

const NAME = 'exceptions'

/** Days that the rule names but that have no occurrence. */
export function DayList({ form }: { form: Form }) {
  const [day, setDay] = useState('')
  const days = listedIn(form.draft[NAME])
  const give = (next: string[]) => form.set(NAME, next.join(', '))

  function add() {
    if (day === '') return
    give([...new Set([...days, day])].sort())
    setDay('')
  }

  return (
    <div>
      <Field
        {...WINDOW_TEXTS.exceptions}
        hint={t('Such as a holiday. In the window’s time zone.')}
        faults={form.faults(NAME)}
      >
        {(wired) => (
          <span className="flex gap-2">
            <input
              {...wired}
              type="date"
              value={day}
              onChange={({ target }) => setDay(target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                add()
              }}
              className={`${INPUT_LOOK} h-10 max-w-56`}
            />
            <Button onClick={add} aria-disabled={day === ''}>
              <Plus aria-hidden size={16} />
              {t('Add day')}
            </Button>
          </span>
        )}
      </Field>
      {days.length > 0 && (
        <ul aria-label={WINDOW_TEXTS.exceptions.label} className="mt-2 flex flex-wrap gap-1.5">
          {days.map((one) => (
            <li
              key={one}
              className="flex h-9 items-center gap-1 rounded-md border border-line bg-sunken pl-2.5 text-sm"
            >
              {sayDay(one)}
              <button
                type="button"
                aria-label={t('Remove {day}', { day: sayDay(one) })}
                className="flex h-9 items-center rounded-md px-2 text-soft hover:text-ink"
                onClick={() => give(days.filter((other) => other !== one))}
              >
                <X aria-hidden size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
