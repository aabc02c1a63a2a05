import { english } from '../../core/language/said.ts'
import type { Skipped } from '../../core/moving-in/outcome.ts'
import type { Imported, State } from '../../core/moving-in/report.ts'
import { table } from '../output.ts'

const SHOWN_NAMES = 20
const INDENT = '  '

/** The report as `--json` prints it: its sentences are English. */
export function printedImport({ refused, skipped, notes, ...rest }: Imported) {
  const withReason = ({ what, reason }: Skipped) => ({ what: english(what), reason: english(reason) })
  return {
    ...rest,
    refused: refused.map(withReason),
    skipped: skipped.map(withReason),
    notes: notes.map(({ what, note }) => ({ what: english(what), note: english(note) })),
  }
}

/** Formats a report with lines of at most `width`. URLs to copy may be longer. */
export function describeImport(imported: Imported, width: number | null): string {
  const parts = [
    listed(
      imported.applied ? 'Created' : 'To create',
      imported,
      imported.applied ? 'created' : 'missing',
      width,
    ),
    listed('There already, left alone', imported, 'existing', width),
    grouped(
      'Not created',
      imported.refused.map(({ what, reason }) => [english(what), english(reason)]),
    ),
    grouped(
      'Skipped',
      imported.skipped.map(({ what, reason }) => [english(what), english(reason)]),
    ),
    grouped(
      'Imported with differences',
      imported.notes.map(({ what, note }) => [english(what), english(note)]),
    ),
    heartbeats(imported),
    summary(imported),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function listed(
  title: string,
  { contacts, monitors, windows, pages }: Imported,
  state: State,
  width: number | null,
): string {
  const rows = [
    ...contacts.map((line) => ({ what: 'contact', ...line })),
    ...monitors.map((line) => ({ what: 'monitor', ...line })),
    ...windows.map((line) => ({ what: 'window', ...line })),
    ...pages.map((line) => ({ what: 'status page', ...line })),
  ].filter((line) => line.state === state)
  if (rows.length === 0) return ''
  const cells = rows.map(({ what, name, type, detail }) => ({ what, name, type, detail }))
  return `${title}:\n${indent(table(cells, width === null ? null : width - INDENT.length))}`
}

/** Lists each reason once, with the names that it applies to. */
function grouped(title: string, entries: [string, string][]): string {
  if (entries.length === 0) return ''
  const byReason = Map.groupBy(entries, ([, reason]) => reason)
  const lines = [...byReason].flatMap(([reason, named]) => {
    const names = named.map(([what]) => what)
    const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more (--json has all)` : ''
    return [`  ${reason}:`, `    ${names.slice(0, SHOWN_NAMES).join(', ')}${more}`]
  })
  return `${title}:\n${lines.join('\n')}`
}

function heartbeats({ heartbeats: rows, applied }: Imported): string {
  if (rows.length === 0) return ''
  const later = applied ? 'was not created' : 'known when it is created'
  const cells = rows.map((row) => ({
    monitor: row.monitor,
    old: row.old ?? 'not in the export',
    new: row.new ?? later,
  }))
  return `Tell your jobs their new addresses:\n${indent(table(cells))}`
}

function summary(imported: Imported): string {
  const lines = [...imported.contacts, ...imported.monitors, ...imported.windows, ...imported.pages]
  const count = (state: State) => lines.filter((line) => line.state === state).length
  const rest = `${count('existing')} there already, ${imported.skipped.length} skipped`
  if (imported.applied) {
    const held = imported.held > 0 ? `, ${imported.held} of them held back: import again later` : ''
    return `${count('created')} created, ${rest}, ${imported.refused.length} not created${held}.`
  }
  const missing = imported.monitors.filter(({ state }) => state === 'missing').length
  const tooMany =
    imported.room !== null && missing > imported.room
      ? `\nThe plan of the team leaves room for ${imported.room} of the ${missing} monitors: the others will be refused.`
      : ''
  const next =
    count('missing') > 0 ? 'Nothing was created: add --apply to create it.' : 'There is nothing to create.'
  return `${count('missing')} to create, ${rest}.${tooMany}\n${next}`
}

function indent(text: string): string {
  return text.replace(/^/gm, INDENT)
}
