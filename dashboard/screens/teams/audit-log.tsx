import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { AUDIT_LIST } from '../../../src/core/lists/audit-list.ts'
import { changed, isFiltered, readSearch, type SearchOf } from '../../../src/core/lists/search.ts'
import { MonitorType } from '../../../src/core/monitors/monitor-types.ts'
import type { AuditEntry } from '../../../src/core/teams/audit.ts'
import type { AuditChange } from '../../../src/core/teams/audit-values.ts'
import { capitalized } from '../../../src/core/text.ts'
import { SettingsFrame } from '../../app/settings-frame.tsx'
import { question } from '../../data/ask.ts'
import { auditSentence, sayDoor } from '../../data/audit-words.ts'
import { periodQueryOf } from '../../data/lists/period-search.ts'
import { ROLE_WORDS } from '../../data/role-words.ts'
import { useTeam } from '../../data/session.ts'
import { wordFor } from '../../language/faults.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { CONTACT_CARDS } from '../../parts/contact-type.tsx'
import { SelectField } from '../../parts/field.tsx'
import { ListFilters } from '../../parts/lists/list-filters.tsx'
import { ListRows } from '../../parts/lists/list-rows.tsx'
import { isRange, PeriodFields, usePeriod } from '../../parts/lists/period-filter.tsx'
import { typeWord } from '../../parts/monitors/type-word.ts'
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

type AuditSearch = SearchOf<typeof AUDIT_LIST>

function Entries() {
  const { id } = useTeam()
  const search = useSearch({ from: '/signed-in/teams/$team/settings/audit-log' })
  const navigate = useNavigate({ from: '/teams/$team/settings/audit-log' })
  const actors = useQuery(question(id, 'listAuditActors', {}))
  const period = usePeriod(search)
  const query = periodQueryOf(search)
  const answer = useQuery({
    ...question(id, 'listAuditEntries', { query: { ...query, per_page: PER_PAGE } }),
    // Any change anywhere adds an entry: never considered fresh.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const show = (change: AuditSearch) =>
    void navigate({ search: changed<AuditSearch>(change), replace: 'search' in change })
  return (
    <>
      <ListFilters
        list={AUDIT_LIST}
        search={search}
        onChange={show}
        fields={{
          person: (
            <SelectField
              label={t('Person')}
              value={search.person ?? ''}
              onChange={({ target }) =>
                show({ person: readSearch(AUDIT_LIST, { person: target.value }).person })
              }
            >
              <option value="">{t('Everyone')}</option>
              {actors.data?.data.map(({ id: actor, name, is_member }) => (
                <option key={actor} value={actor}>
                  {is_member ? name : t('{name} (left)', { name })}
                </option>
              ))}
            </SelectField>
          ),
          period: <PeriodFields search={search} period={period} onChange={show} />,
        }}
        more={isRange(period.value) ? ['9.5rem', '9.5rem'] : []}
      />
      <Section
        title={t('Changes')}
        about={t('Every change to the team and what belongs to it, with the person and the source.')}
        actions={<ListMenu list="audit-log" query={query} />}
      >
        <ListRows
          answer={answer}
          none={<NoEntries search={search} onShowAll={() => void navigate({ search: {} })} />}
          onPage={(page) => show({ page })}
        >
          {(entries) => <EntriesTable entries={entries} />}
        </ListRows>
      </Section>
    </>
  )
}

function NoEntries({ search, onShowAll }: { search: AuditSearch; onShowAll: () => void }) {
  return isFiltered(AUDIT_LIST, search) ? (
    <Empty title={t('No matching changes')} action={<Button onClick={onShowAll}>{t('Show all')}</Button>} />
  ) : (
    <Empty title={t('Nothing yet')}>
      {t(
        'Every change to the team, its monitors, contacts, members and tokens appears here, with the person who made it and the source.',
      )}
    </Empty>
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
  const valued = new Set(entry.changes.map(({ field }) => field.split(' ')[0]))
  const rest = entry.fields.filter((field) => !valued.has(field))
  // All that was written had no value before.
  const isNew = entry.changes.every(({ before }) => before === null) && entry.action.startsWith('create')
  return (
    <>
      <div className="break-words">
        {rich(auditSentence(entry.action), {
          actor: <span className="font-medium">{entry.actor ?? t('The operator')}</span>,
          action: entry.action,
          subject: entry.subject !== null && <span className="font-medium">{entry.subject}</span>,
        })}
      </div>
      {entry.changes.map((change) => (
        <Values key={change.field} change={change} isNew={isNew} />
      ))}
      {rest.length > 0 && (
        <div className="text-sm break-words text-soft">
          {t('Values not kept: {names}', { names: rest.map(sayField).join(', ') })}
        </div>
      )}
    </>
  )
}

/** A field as it was and as it is. */
function Values({ change: { field, before, after }, isNew }: { change: AuditChange; isNew: boolean }) {
  return (
    <div className="text-sm break-words text-soft">
      {sayField(field)}:{' '}
      {!isNew && (
        <>
          <del>{sayValue(field, before)}</del> <span aria-hidden>→</span>{' '}
        </>
      )}
      <ins className="text-ink no-underline">{sayValue(field, after)}</ins>
    </div>
  )
}

/** A field, or a part of one, by its name on screens. */
function sayField(field: string): string {
  const [name = '', ...parts] = field.split(' ')
  const word = wordFor(name).replace(ARTICLE, '').replaceAll('_', ' ')
  return capitalized([word, ...parts.map((part) => part.replaceAll('_', ' '))].join(' '))
}

/** Names of fields are written as they stand within a sentence. */
const ARTICLE = /^(?:the|der|die|das) /

function sayValue(field: string, value: string | null): string {
  if (value === null || value === '') return t('nothing')
  if (value === 'true') return t('Yes')
  if (value === 'false') return t('No')
  return VALUE_WORDS[field]?.[value] ?? value
}

/** Values that screens name by a word. */
const VALUE_WORDS: Record<string, Readonly<Record<string, string>>> = {
  role: ROLE_WORDS,
  type: Object.fromEntries([
    ...MonitorType.options.map((type) => [type, typeWord(type)]),
    ...Object.entries(CONTACT_CARDS).map(([type, { label }]) => [type, label]),
  ]),
}
