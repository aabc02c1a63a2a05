import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  CAPTURE_SOURCES,
  type Capture,
  MAX_CAPTURES,
} from '../../../src/core/monitors/options/protocols/steps.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { INPUT_LOOK, SELECT_LOOK } from '../../parts/field.tsx'
import { InputRows } from '../../parts/input-rows.tsx'
import type { Form } from '../use-form.ts'
import { type CaptureRow, capturesIn } from './capture-draft.ts'
import { holdRecords } from './records-draft.ts'

const WORDS: Record<Capture['source'], { word: string; example: string }> = {
  json: { word: t('JSON'), example: '$.token' },
  header: { word: t('Header'), example: 'location' },
  body: { word: t('Body'), example: 'name="csrf" value="([^"]*)"' },
}

/** Rows of a name, the part of the answer that it is read from, and the place in that. */
export function CaptureRows({
  name,
  around,
  form,
}: {
  name: string
  around: { label: string; heard?: string | undefined; hint?: ReactNode; faults: string[] | undefined }
  form: Form
}) {
  const rows = capturesIn(form.draft[name])
  const set = (next: CaptureRow[]) => form.set(name, holdRecords(next))
  const change = (index: number, part: Partial<CaptureRow>) =>
    set(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))

  return (
    <InputRows
      {...around}
      add={t('Add a capture')}
      onAdd={
        rows.length < MAX_CAPTURES ? () => set([...rows, { name: '', source: 'json', property: '' }]) : null
      }
    >
      {(saidId) =>
        rows.map((row, index) => {
          const number = index + 1
          const isFaulty = form.faults(`${name}.${row.name}`) !== undefined
          const wired = {
            'aria-describedby': saidId,
            ...(isFaulty && { 'aria-invalid': true as const }),
            onBlur: () => form.leave(name),
          }
          const typed = { autoComplete: 'off', spellCheck: false }
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and hold nothing but their values
            <div key={index} className="flex flex-wrap gap-2">
              <input
                {...{ ...wired, ...typed }}
                aria-label={t('Capture {number}: name', { number })}
                placeholder={t('Name')}
                value={row.name}
                onChange={({ target }) => change(index, { name: target.value })}
                className={`${INPUT_LOOK} h-10 min-w-0 flex-1 basis-32`}
              />
              <select
                {...wired}
                aria-label={t('Capture {number}: part of the answer', { number })}
                value={row.source}
                onChange={({ target }) => change(index, { source: target.value as Capture['source'] })}
                className={`${SELECT_LOOK} h-10 flex-1 basis-28`}
              >
                {CAPTURE_SOURCES.map((source) => (
                  <option key={source} value={source}>
                    {WORDS[source].word}
                  </option>
                ))}
              </select>
              <input
                {...{ ...wired, ...typed }}
                aria-label={t('Capture {number}: path, name or pattern', { number })}
                placeholder={WORDS[row.source].example}
                value={row.property}
                onChange={({ target }) => change(index, { property: target.value })}
                className={`${INPUT_LOOK} h-10 min-w-0 flex-2 basis-40`}
              />
              <Button
                tone="quiet"
                aria-label={
                  row.name ? t('Remove {name}', { name: row.name }) : t('Remove row {number}', { number })
                }
                className="ml-auto px-2.5"
                onClick={() => set(rows.filter((_, at) => at !== index))}
              >
                <X aria-hidden size={16} />
              </Button>
            </div>
          )
        })
      }
    </InputRows>
  )
}
