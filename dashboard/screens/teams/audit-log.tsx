import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { AuditEntry } from '../../../src/core/teams/audit.ts'
import { SettingsFrame } from '../../app/settings-frame.tsx'
import { question } from '../../data/ask.ts'
import { auditSentence, sayDoor } from '../../data/audit-words.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { ListRows } from '../../parts/lists/list-rows.tsx'
import { Empty, Panel, Section } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'
import { Time } from '../../parts/time.tsx'

const PER_PAGE = 50

export default function AuditLog() {
  const { may } = useTeam()
  return (
    <SettingsFrame>
      {may('write') ? (
        <Entries />
      ) : (
        <Panel>
          <Empty title={t('Owners and admins only')}>{t('Your role cannot view the audit log.')}</Empty>
        </Panel>
      )}
    </SettingsFrame>
  )
}

function Entries() {
  const { id } = useTeam()
  const search = useSearch({ from: '/signed-in/teams/$team/settings/audit-log' })
  const navigate = useNavigate({ from: '/teams/$team/settings/audit-log' })
  const answer = useQuery({
    ...question(id, 'listAuditEntries', { query: { ...search, per_page: PER_PAGE } }),
    // Any change anywhere adds an entry: never considered fresh.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  return (
    <Section
      title={t('Changes')}
      about={t('Every change to the team and what belongs to it, with the person and the source.')}
      actions={<ListMenu list="audit-log" />}
    >
      <ListRows
        answer={answer}
        none={
          <Empty title={t('Nothing yet')}>
            {t(
              'Every change to the team, its monitors, contacts, members and tokens appears here, with the person who made it and the source.',
            )}
          </Empty>
        }
        onPage={(page) => void navigate({ search: { page } })}
      >
        {(entries) => <EntriesTable entries={entries} />}
      </ListRows>
    </Section>
  )
}

const CELL = 'px-4 py-2.5 text-left align-top'

/** On a narrow screen, time and source appear below the change. */
function EntriesTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line text-sm text-soft">
        <tr>
          <th scope="col" className={`${CELL} hidden w-48 font-normal sm:table-cell`}>
            {t('Time')}
          </th>
          <th scope="col" className={`${CELL} font-normal`}>
            {t('Change')}
          </th>
          <th scope="col" className={`${CELL} hidden w-40 font-normal sm:table-cell`}>
            {t('Source')}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className={`${CELL} hidden text-soft sm:table-cell`}>
              <Time at={entry.at} as="date" />
            </td>
            <td className={CELL}>
              <What entry={entry} />
              <div className="text-sm text-soft sm:hidden">
                <Time at={entry.at} as="date" /> · {sayDoor(entry.door)}
              </div>
            </td>
            <td className={`${CELL} hidden text-soft sm:table-cell`}>{sayDoor(entry.door)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function What({ entry }: { entry: AuditEntry }) {
  return (
    <>
      <div className="break-words">
        {rich(auditSentence(entry.action), {
          actor: <span className="font-medium">{entry.actor ?? t('The operator')}</span>,
          action: entry.action,
          subject: entry.subject !== null && <span className="font-medium">{entry.subject}</span>,
        })}
      </div>
      {entry.fields.length > 0 && (
        <div className="text-sm break-words text-soft">
          {t('Fields: {names}', {
            names: entry.fields.map((field) => field.replaceAll('_', ' ')).join(', '),
          })}
        </div>
      )}
    </>
  )
}
