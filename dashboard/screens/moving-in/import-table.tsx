import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { MovedKind } from '../../../src/core/moving-in/create.ts'
import { useTeam } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { ImportRow } from './import-rows.ts'

/** Thousands of rows at once would hold up the page. */
const ROWS_AT_ONCE = 200

/** The rows of one kind, of which each can be left out until it is there. */
export function ImportTable({
  title,
  rows,
  disabled,
  onChoose,
}: {
  title: string
  rows: readonly ImportRow[]
  disabled: boolean
  /** Takes rows into the import, or leaves them out. */
  onChoose: (keys: string[], isChosen: boolean) => void
}) {
  const [shown, setShown] = useState(ROWS_AT_ONCE)
  const open = rows.filter(isOpen)
  const chosen = open.filter(({ is }) => is !== 'left out')
  const more = rows.length - shown
  return (
    <Panel
      title={title}
      actions={
        open.length > 0 && (
          <span className="text-sm text-soft">
            {t('{chosen, number} of {all, number} chosen', { chosen: chosen.length, all: open.length })}
          </span>
        )
      }
    >
      <table className="w-full border-collapse max-md:block">
        <caption className="sr-only">{t('{title} of the export', { title })}</caption>
        <thead
          className={`text-left text-sm text-soft ${open.length > 0 ? 'max-md:block' : 'max-md:sr-only'}`}
        >
          <tr className="border-b border-line max-md:flex max-md:px-4 max-md:py-2">
            <th className="w-12 py-2 pl-4 font-medium max-md:w-auto max-md:p-0">
              <label className={`flex items-center gap-2 ${open.length > 0 ? '' : 'sr-only'}`}>
                <input
                  type="checkbox"
                  className="size-4.5 accent-accent"
                  disabled={disabled || open.length === 0}
                  checked={open.length > 0 && chosen.length === open.length}
                  ref={(box) => {
                    if (box) box.indeterminate = chosen.length > 0 && chosen.length < open.length
                  }}
                  onChange={({ target }) =>
                    onChoose(
                      open.map(({ key }) => key),
                      target.checked,
                    )
                  }
                />
                <span className="md:sr-only">{t('Choose all: {title}', { title })}</span>
              </label>
            </th>
            <th className="px-3 py-2 font-medium max-md:sr-only">{t('Name')}</th>
            <th className="w-40 px-3 py-2 font-medium max-md:sr-only">{t('Type')}</th>
            <th className="w-64 px-3 py-2 font-medium max-md:sr-only">{t('Settings')}</th>
            <th className="w-80 px-3 py-2 font-medium max-md:sr-only">{t('Outcome')}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-md:block">
          {rows.slice(0, shown).map((row) => (
            <Row
              key={row.key}
              row={row}
              disabled={disabled}
              onChoose={(isChosen) => onChoose([row.key], isChosen)}
            />
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <div className="border-t border-line p-3 text-center">
          <Button tone="quiet" onClick={() => setShown(shown + ROWS_AT_ONCE)}>
            {t('Show {count, number} more', { count: Math.min(more, ROWS_AT_ONCE) })}
          </Button>
        </div>
      )}
    </Panel>
  )
}

/** Whether it can still be taken in or left out. */
export function isOpen({ is, id }: ImportRow): boolean {
  return (is === 'missing' && id === null) || is === 'left out' || is === 'without contact'
}

function Row({
  row,
  disabled,
  onChoose,
}: {
  row: ImportRow
  disabled: boolean
  onChoose: (isChosen: boolean) => void
}) {
  return (
    <tr data-row className="max-md:flex max-md:flex-wrap max-md:gap-x-3 max-md:px-4 max-md:py-2">
      <td className={`py-2 pl-4 align-top max-md:p-0 ${isOpen(row) ? '' : 'max-md:hidden'}`}>
        {isOpen(row) && (
          <input
            type="checkbox"
            aria-label={t('Choose {name}', { name: row.name })}
            className="mt-0.5 size-4.5 accent-accent"
            disabled={disabled}
            checked={row.is !== 'left out'}
            onChange={({ target }) => onChoose(target.checked)}
          />
        )}
      </td>
      <td className="min-w-0 px-3 py-2 align-top break-words max-md:basis-4/5 max-md:p-0">
        <span className="font-medium">{row.name}</span>
        {row.address !== null && row.address !== row.name && (
          <span className="block text-sm wrap-anywhere text-soft">{row.address}</span>
        )}
      </td>
      <td className="px-3 py-2 align-top max-md:p-0">{row.type}</td>
      <td className="px-3 py-2 align-top break-words text-soft max-md:p-0">{row.details}</td>
      <td className="px-3 py-2 align-top break-words max-md:basis-full max-md:p-0">
        <Outcome row={row} />
        <Notes notes={row.notes} name={row.name} />
      </td>
    </tr>
  )
}

function Outcome({ row: { kind, is, id, name, reason } }: { row: ImportRow }) {
  if (is === 'left out') return <span className="text-soft">{t('Left out')}</span>
  if (is === 'without contact') return <span className="text-degraded">{reason}</span>
  if (reason !== null) return <span className="text-down">{t('Not created: {reason}', { reason })}</span>
  if (id === null) return t('Will be created')
  return (
    <span className={is === 'created' ? 'text-up' : 'text-soft'}>
      {is === 'created' ? t('Created:') : t('There already, left alone:')}{' '}
      <RecordLink kind={kind} id={id} name={name} />
    </span>
  )
}

const PATHS = {
  monitor: (team: string, id: string) => ({
    to: '/teams/$team/monitors/$monitor' as const,
    params: { team, monitor: id },
  }),
  contact: (team: string, id: string) => ({
    to: '/teams/$team/contacts/$contact' as const,
    params: { team, contact: id },
  }),
  window: (team: string, id: string) => ({
    to: '/teams/$team/maintenance/$window' as const,
    params: { team, window: id },
  }),
  page: (team: string, id: string) => ({
    to: '/teams/$team/status-pages/$page' as const,
    params: { team, page: id },
  }),
}

function RecordLink({ kind, id, name }: { kind: MovedKind; id: number; name: string }) {
  const { id: team } = useTeam()
  return (
    <Link {...PATHS[kind](String(team), String(id))} className="break-all underline">
      {name}
    </Link>
  )
}

function Notes({ notes, name }: { notes: readonly string[]; name: string }) {
  if (notes.length === 0) return null
  return (
    <details className="mt-1 text-sm">
      <summary className="text-soft">
        {rich('{count, plural, one {# difference} other {# differences}}<hidden> of {name}</hidden>', {
          count: notes.length,
          name,
          hidden,
        })}
      </summary>
      <ul className="mt-1 list-disc space-y-1 pl-4">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  )
}
