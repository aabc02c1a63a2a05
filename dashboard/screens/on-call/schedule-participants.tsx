import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ScheduleDetail } from '../../../src/core/on-call/shown-schedule.ts'
import { question } from '../../data/ask.ts'
import { useSession, useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { lookOf } from '../../parts/on-call/participant-look.ts'
import { Panel } from '../../parts/panel.tsx'
import { Row, Rows, Tag } from '../../parts/rows.tsx'

/** The people of a schedule, each with the contacts that are alerted. */
export function Participants({ schedule: { participants } }: { schedule: ScheduleDetail }) {
  const { id: team } = useTeam()
  const { user } = useSession()
  const contacts = useQuery(question(team, 'listContacts', {})).data?.data ?? []
  const members = useQuery(question(team, 'listMembers', {})).data?.data ?? []
  return (
    <Panel title={t('Participants')}>
      <Rows label={t('Participants')}>
        {participants.map(({ key, name, user_id, contact_ids }) => {
          const member = members.find(({ id }) => id === user_id)
          const named = contacts.filter(({ id }) => contact_ids.includes(id))
          return (
            <Row
              key={key}
              title={
                <>
                  <span
                    aria-hidden
                    className={`size-2.5 shrink-0 rounded-full ${lookOf(key, participants).dot}`}
                  />
                  {name}
                  {user_id === user.id && <Tag>{t('you')}</Tag>}
                  {member && member.name !== name && <Tag>{member.name}</Tag>}
                </>
              }
            >
              {contact_ids.length === 0 ? (
                <p className="text-degraded">
                  {t('No contacts left: no one is alerted during these shifts.')}
                </p>
              ) : (
                <p className="flex flex-wrap gap-x-3">
                  {named.map((contact) => (
                    <Link
                      key={contact.id}
                      to="/teams/$team/contacts/$contact"
                      params={{ team: String(team), contact: String(contact.id) }}
                      className="break-words underline"
                    >
                      {contact.name}
                    </Link>
                  ))}
                </p>
              )}
            </Row>
          )
        })}
      </Rows>
    </Panel>
  )
}
