import type { Note, Skipped } from '../../../src/core/moving-in/outcome.ts'
import type { Imported } from '../../../src/core/moving-in/report.ts'
import { t } from '../../language/language.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Panel } from '../../parts/panel.tsx'
import { byReason } from './import-rows.ts'

const NAMES_AT_ONCE = 20

/** The parts of an export that cannot come over, with the reason and a way out. */
export function NotTakenOver({ skipped }: { skipped: readonly Skipped[] }) {
  return (
    <Remarks
      title={t('Cannot be taken over')}
      said={byReason(skipped.map(({ what, reason }) => ({ what, why: reason })))}
    />
  )
}

/** Differences of records that have no row. */
export function OtherDifferences({ notes }: { notes: readonly Note[] }) {
  return (
    <Remarks title={t('Differences')} said={byReason(notes.map(({ what, note }) => ({ what, why: note })))} />
  )
}

function Remarks({ title, said }: { title: string; said: ReturnType<typeof byReason> }) {
  if (said.length === 0) return null
  return (
    <Panel title={title}>
      <ul className="divide-y divide-line">
        {said.map(({ reason, names }) => (
          <li key={reason} data-row className="px-4 py-2.5">
            <Names names={names} />
            <p className="break-words text-soft">{reason}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Names({ names }: { names: readonly string[] }) {
  const rest = names.slice(NAMES_AT_ONCE)
  return (
    <div className="font-medium break-words">
      {names.slice(0, NAMES_AT_ONCE).join(', ')}
      {rest.length > 0 && (
        <details className="font-normal">
          <summary className="text-soft">{t('Show {count, number} more', { count: rest.length })}</summary>
          {rest.join(', ')}
        </details>
      )}
    </div>
  )
}

/** The old and the new address of each heartbeat, to work through. */
export function NewAddresses({ heartbeats }: { heartbeats: Imported['heartbeats'] }) {
  if (heartbeats.length === 0) return null
  return (
    <Panel title={t('New ping URLs')}>
      <p className="px-4 pt-3 text-soft">{t('Change your jobs to ping the new URLs.')}</p>
      <ul className="divide-y divide-line">
        {heartbeats.map(({ monitor, old, new: address }) => (
          <li key={monitor} data-row className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
            <div className="min-w-0 flex-1 basis-64">
              <p className="font-medium break-words">{monitor}</p>
              <p className="text-sm break-all text-soft">
                {old === null ? t('The export does not have the old URL.') : t('Old: {url}', { url: old })}
              </p>
              <p className="text-sm break-all">
                {address === null
                  ? t('The new URL is known once the monitor is created.')
                  : t('New: {url}', { url: address })}
              </p>
            </div>
            {address !== null && (
              <CopyButton text={address} label={t('the URL of {name}', { name: monitor })} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
