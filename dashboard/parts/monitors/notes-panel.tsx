import { useQuery } from '@tanstack/react-query'
import { hasNotes, type MonitorNotes } from '../../../src/core/monitors/notes.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { NewTab } from '../../language/hidden.tsx'
import { t } from '../../language/language.ts'
import { Panel } from '../panel.tsx'

/** The runbook and the notes of a monitor on its own page. */
export function NotesOfMonitor({ monitor }: { monitor: number }) {
  const { id: team } = useTeam()
  const { data } = useQuery(question(team, 'getMonitorNotes', { id: monitor }))
  return data ? <NotesPanel notes={data.data} /> : null
}

/** The words for whoever responds; nothing where there are none. */
export function NotesPanel({ notes }: { notes: MonitorNotes }) {
  if (!hasNotes(notes)) return null
  return (
    <Panel title={t('Runbook and notes')} className="min-w-0">
      <div className="flex flex-col gap-2 p-4">
        {notes.runbook_url && (
          <a
            href={notes.runbook_url}
            target="_blank"
            rel="noopener noreferrer"
            className="w-fit break-all underline"
          >
            {notes.runbook_url}
            <NewTab />
          </a>
        )}
        {notes.notes && <p className="break-words whitespace-pre-line">{notes.notes}</p>}
      </div>
    </Panel>
  )
}
