import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  type AnswerPart,
  COMPARISONS,
  MAX_ASSERTIONS,
  SOURCES,
} from '../../../src/core/expectations/assertion.ts'
import { DEFAULT_CHECKS } from '../../../src/core/expectations/response-times.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { INPUT_LOOK, SELECT_LOOK } from '../../parts/field.tsx'
import { InputRows } from '../../parts/input-rows.tsx'
import type { Form } from '../use-form.ts'
import { type AssertionRow, comparisonsOf, holdRows, newRow, rowsIn } from './assertion-draft.ts'

/** The property that a row begins with, and an example of one. */
const PROPERTIES: Partial<Record<AnswerPart, { first: string; example: string }>> = {
  header: { first: '', example: 'content-type' },
  json: { first: '$.status', example: '$.status' },
  response_time_p95_ms: { first: String(DEFAULT_CHECKS), example: String(DEFAULT_CHECKS) },
}

/** Rows of a part of the answer, how it must compare, and with what. */
export function AssertionRows({
  name,
  around,
  offered,
  form,
}: {
  name: string
  offered: readonly AnswerPart[]
  around: { label: string; heard?: string | undefined; hint?: ReactNode; faults: string[] | undefined }
  form: Form
}) {
  const rows = rowsIn(form.draft[name])
  const set = (next: AssertionRow[]) => form.set(name, holdRows(next))
  const change = (index: number, part: Partial<AssertionRow>) =>
    set(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))

  return (
    <InputRows
      {...around}
      add={t('Add an assertion')}
      onAdd={rows.length < MAX_ASSERTIONS ? () => set([...rows, newRow(offered)]) : null}
    >
      {(saidId) =>
        rows.map((row, index) => (
          <AssertionFields
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and hold nothing but their values
            key={index}
            {...{ row, saidId, offered, number: index + 1 }}
            isFaulty={(part) => form.faults(`${name}.${index}.${part}`) !== undefined}
            onChange={(part) => change(index, part)}
            onLeave={() => form.leave(name)}
            onRemove={() => set(rows.filter((_, at) => at !== index))}
          />
        ))
      }
    </InputRows>
  )
}

function AssertionFields({
  row,
  saidId,
  offered,
  number,
  isFaulty,
  onChange,
  onLeave,
  onRemove,
}: {
  row: AssertionRow
  saidId: string
  offered: readonly AnswerPart[]
  number: number
  isFaulty: (part: keyof AssertionRow) => boolean
  onChange: (part: Partial<AssertionRow>) => void
  onLeave: () => void
  onRemove: () => void
}) {
  const wired = (part: keyof AssertionRow) => ({
    'aria-describedby': saidId,
    ...(isFaulty(part) && { 'aria-invalid': true as const }),
    onBlur: onLeave,
  })
  const typed = { autoComplete: 'off', spellCheck: false }
  const { property } = SOURCES[row.source]
  const isNumber = property === 'checks'

  /** A comparison that the new source has not gives way to one that every source has. */
  function choose(source: AnswerPart) {
    const comparison = comparisonsOf(source).includes(row.comparison) ? row.comparison : 'equals'
    onChange({ source, comparison, property: PROPERTIES[source]?.first ?? '' })
  }

  return (
    <div className="flex flex-wrap gap-2">
      <select
        {...wired('source')}
        aria-label={t('Assertion {number}: part of the answer', { number })}
        value={row.source}
        onChange={(event) => choose(event.target.value as AnswerPart)}
        className={`${SELECT_LOOK} h-10 flex-1 basis-36`}
      >
        {offered.map((source) => (
          <option key={source} value={source}>
            {t(SOURCES[source].word)}
          </option>
        ))}
      </select>
      {property !== null && (
        <span className="flex flex-1 basis-36 items-center gap-2">
          <input
            {...wired('property')}
            {...typed}
            {...(isNumber && { inputMode: 'numeric' as const })}
            aria-label={
              isNumber
                ? t('Assertion {number}: number of checks', { number })
                : t('Assertion {number}: name or path', { number })
            }
            placeholder={PROPERTIES[row.source]?.example}
            value={row.property}
            onChange={(event) => onChange({ property: event.target.value })}
            className={`${INPUT_LOOK} h-10 min-w-0 flex-1`}
          />
          {isNumber && (
            <span aria-hidden className="text-sm text-soft">
              {t('checks')}
            </span>
          )}
        </span>
      )}
      <select
        {...wired('comparison')}
        aria-label={t('Assertion {number}: comparison', { number })}
        value={row.comparison}
        onChange={(event) => onChange({ comparison: event.target.value as AssertionRow['comparison'] })}
        className={`${SELECT_LOOK} h-10 flex-1 basis-36`}
      >
        {comparisonsOf(row.source).map((comparison) => (
          <option key={comparison} value={comparison}>
            {t(COMPARISONS[comparison].word)}
          </option>
        ))}
      </select>
      {COMPARISONS[row.comparison].takes !== 'nothing' && (
        <input
          {...wired('target')}
          {...typed}
          aria-label={t('Assertion {number}: value', { number })}
          placeholder={t('Value')}
          value={row.target}
          onChange={(event) => onChange({ target: event.target.value })}
          className={`${INPUT_LOOK} h-10 flex-1 basis-36`}
        />
      )}
      <select
        {...wired('severity')}
        aria-label={t('Assertion {number}: otherwise', { number })}
        value={row.severity}
        onChange={(event) => onChange({ severity: event.target.value as AssertionRow['severity'] })}
        className={`${SELECT_LOOK} h-10 grow-0 basis-40`}
      >
        <option value="down">{t('else down')}</option>
        <option value="degraded">{t('else degraded')}</option>
      </select>
      <Button
        tone="quiet"
        aria-label={t('Remove row {number}', { number })}
        className="ml-auto px-2.5"
        onClick={onRemove}
      >
        <X aria-hidden size={16} />
      </Button>
    </div>
  )
}
