import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import {
  MAX_ASSERTIONS,
  MAX_PROPERTY_LENGTH,
  MAX_TARGET_LENGTH,
  type Scalar,
} from '../../../src/core/expectations/assertion.ts'
import { pathTo } from '../../../src/core/expectations/write-path.ts'
import type { MonitorType } from '../../../src/core/monitors/monitor.ts'
import { optionsOfType } from '../../../src/core/monitors/options/monitor-options.ts'
import type { FailingAnswer } from '../../../src/core/probing/failing-answer.ts'
import { MASK } from '../../../src/core/teams/access.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { AnswerText } from '../../parts/monitors/failing-answer.tsx'
import type { Form } from '../use-form.ts'
import { type AssertionRow, holdRows, rowExpecting, rowsIn, sameRow } from './assertion-draft.ts'

const ASSERTIONS = 'options.assertions'
/** Levels that are open at first, and entries of one list that are shown at once. */
const OPEN_LEVELS = 2
const ENTRIES_AT_ONCE = 50

type Step = string | number
type Offer = (row: AssertionRow, shown: string) => ReactNode

/**
 * The answer to a test. Where the monitor can have assertions, a press on a header's value or on a value of its JSON
 * expects it from now on, and another press no longer.
 */
export function TestedAnswer({
  answer,
  type,
  form,
}: {
  answer: FailingAnswer
  type: MonitorType
  form: Form
}) {
  const document = jsonIn(answer)
  const isOffered = optionsOfType(type).includes('assertions')
  const offer = (row: AssertionRow, shown: string) =>
    isOffered && canExpect(row) ? <Expectable row={row} shown={shown} form={form} /> : shown
  const names = answer.headers.map(({ name }) => name.toLowerCase())
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {isOffered && <p className="text-sm text-soft">{document === undefined ? HEADERS_ONLY : WITH_JSON}</p>}
      <AnswerText
        answer={answer}
        headerOf={(name, value) => {
          const property = name.toLowerCase()
          // The check reads all values together of one that came more than once.
          const isAlone = names.indexOf(property) === names.lastIndexOf(property)
          return isAlone ? offer(rowExpecting('header', property, value), value) : value
        }}
      />
      {document !== undefined && (
        <section aria-label={t('JSON')} className="max-h-96 overflow-auto rounded border border-line p-3">
          <ul className="font-mono text-sm">
            <Entry name={null} steps={[]} value={document} offer={offer} />
          </ul>
        </section>
      )}
    </div>
  )
}

const HEADERS_ONLY = t('Click the value of a header to require it in every check.')
const WITH_JSON = t('Click a value in the headers or in the JSON to require it in every check.')

/** Neither too long for an assertion, nor hidden in the answer that is shown. */
function canExpect({ property, target }: AssertionRow): boolean {
  return (
    property.length <= MAX_PROPERTY_LENGTH && target.length <= MAX_TARGET_LENGTH && !target.includes(MASK)
  )
}

/** A value with a switch: whether the form expects it. */
function Expectable({ row, shown, form }: { row: AssertionRow; shown: string; form: Form }) {
  const rows = rowsIn(form.draft[ASSERTIONS])
  const others = rows.filter((one) => !sameRow(one, row))
  const isExpected = others.length < rows.length
  if (!isExpected && rows.length >= MAX_ASSERTIONS) return shown
  return (
    <button
      type="button"
      aria-pressed={isExpected}
      aria-label={t('Require {what} to be {value}', { what: row.property, value: shown })}
      onClick={() => form.set(ASSERTIONS, holdRows(isExpected ? others : [...rows, row]))}
      className="inline max-w-full cursor-pointer rounded px-0.5 text-left break-all underline decoration-dotted hover:bg-sunken"
    >
      {shown}
      {isExpected && <Check aria-hidden size={14} className="ml-1 inline text-up" />}
    </button>
  )
}

/** The document in a body that is whole; undefined where there is none. */
function jsonIn({ body }: FailingAnswer): unknown {
  if (body.kind !== 'text' || body.is_cut) return undefined
  try {
    const value: unknown = JSON.parse(body.text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function Entry({
  name,
  steps,
  value,
  offer,
}: {
  name: Step | null
  steps: readonly Step[]
  value: unknown
  offer: Offer
}) {
  const label = name !== null && <span className="text-soft">{name}: </span>
  if (typeof value === 'object' && value !== null)
    return (
      <li>
        <Branch
          label={label}
          steps={steps}
          entries={entriesOf(value)}
          isList={Array.isArray(value)}
          offer={offer}
        />
      </li>
    )
  return (
    <li className="py-0.5 break-all">
      {label}
      {offer(rowExpecting('json', pathTo(steps), value as Scalar), JSON.stringify(value))}
    </li>
  )
}

function entriesOf(value: object): [Step, unknown][] {
  return Array.isArray(value) ? value.map((one, index) => [index, one]) : Object.entries(value)
}

function Branch({
  label,
  steps,
  entries,
  isList,
  offer,
}: {
  label: ReactNode
  steps: readonly Step[]
  entries: [Step, unknown][]
  isList: boolean
  offer: Offer
}) {
  const [isOpen, setOpen] = useState(steps.length < OPEN_LEVELS)
  const [shown, setShown] = useState(ENTRIES_AT_ONCE)
  const brackets = isList ? `[${entries.length}]` : `{${entries.length}}`
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="py-0.5">
        {label}
        <span className="text-soft">{brackets}</span>
      </summary>
      {isOpen && (
        <ul className="border-l border-line pl-4">
          {entries.slice(0, shown).map(([name, value]) => (
            <Entry key={name} name={name} steps={[...steps, name]} value={value} offer={offer} />
          ))}
          {entries.length > shown && (
            <li>
              <Button size="small" onClick={() => setShown(shown + ENTRIES_AT_ONCE)}>
                {t('Show more')}
              </Button>
            </li>
          )}
        </ul>
      )}
    </details>
  )
}
