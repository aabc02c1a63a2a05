import { useMemo } from 'react'
import { countSteps, type MovedKind } from '../../../src/core/moving-in/create.ts'
import { importedOf } from '../../../src/core/moving-in/report.ts'
import type { Team } from '../../../src/core/teams/team.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { NewAddresses, NotTakenOver, OtherDifferences } from './import-remarks.tsx'
import { type ImportRow, otherNotes, rowsOf } from './import-rows.ts'
import { ImportTable } from './import-table.tsx'
import type { OpenImport, useImport } from './use-import.ts'

type Imported = ReturnType<typeof useImport>

/** The report of an import, as the command line has it, and the button that carries it out. */
export function ImportReport({ team, imported, open }: { team: Team; imported: Imported; open: OpenImport }) {
  const { leftOut, created, progress, choose, apply } = imported
  const { service, outcome, matches } = open
  const report = useMemo(
    () => importedOf({ kind: service, team, outcome, matches, created }),
    [service, team, outcome, matches, created],
  )
  const rows = useMemo(
    () => rowsOf(matches, report.notes, { leftOut, created }),
    [matches, report.notes, leftOut, created],
  )
  const isBusy = progress !== null
  const missing = rows.filter(({ is }) => is === 'missing')
  const monitors = missing.filter(({ kind, id }) => kind === 'monitor' && id === null).length
  const isOver = report.room !== null && monitors > report.room
  return (
    <>
      {TITLES().map(([kind, title]) => {
        const own = rows.filter((row) => row.kind === kind)
        if (own.length === 0) return null
        return <ImportTable key={kind} title={title} rows={own} disabled={isBusy} onChoose={choose} />
      })}
      <NotTakenOver skipped={report.skipped} />
      <OtherDifferences notes={otherNotes(matches, report.notes)} />
      {created && <NewAddresses heartbeats={report.heartbeats} />}
      {isOver && (
        <p role="alert" className="text-down">
          {t(
            'The {plan} plan leaves room for {room, number} of {count, number} monitors: the others will be refused, unless you leave them out.',
            { plan: team.plan, room: report.room, count: monitors },
          )}
        </p>
      )}
      {report.held > 0 && (
        <p className="text-soft">
          {t('Some contacts have to agree by e-mail, and such mail is limited: create the rest later.')}
        </p>
      )}
      <div className="sticky bottom-14 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-panel px-4 py-3 shadow-panel lg:bottom-0">
        <Button tone="main" busy={isBusy} disabled={missing.length === 0} onClick={() => void apply()}>
          {missing.length === 0
            ? t('Nothing to create')
            : t('{count, plural, one {Create # record} other {Create # records}}', { count: missing.length })}
        </Button>
        <p role="status" className="min-w-0 text-soft">
          {progress
            ? t('{done, number} of {all, number} requests answered', {
                done: progress.done,
                all: progress.all || countSteps(matches),
              })
            : created
              ? t(
                  '{created, number} created, {there, number} there already, {refused, number} not created, {skipped, number} cannot be taken over',
                  {
                    created: countOf(rows, 'created'),
                    there: countOf(rows, 'existing'),
                    refused: rows.filter(({ is, reason }) => is === 'missing' && reason !== null).length,
                    skipped: report.skipped.length,
                  },
                )
              : t(
                  '{missing, number} to create, {there, number} there already, {skipped, number} cannot be taken over',
                  {
                    missing: missing.length,
                    there: countOf(rows, 'existing'),
                    skipped: report.skipped.length,
                  },
                )}
        </p>
      </div>
    </>
  )
}

const TITLES = (): [MovedKind, string][] => [
  ['monitor', t('Monitors')],
  ['contact', t('Contacts')],
  ['window', t('Maintenance windows')],
  ['page', t('Status pages')],
]

function countOf(rows: readonly ImportRow[], is: ImportRow['is']): number {
  return rows.filter((row) => row.is === is).length
}
