import { useQuery } from '@tanstack/react-query'
import { SettingsFrame } from '../../app/settings-frame.tsx'
import { question } from '../../data/ask.ts'
import { ROLE_SENTENCES, ROLES } from '../../data/role-words.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { Section } from '../../parts/panel.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Invitations } from './members-invitations.tsx'
import { MemberLine } from './members-line.tsx'

export default function Members() {
  const { id, may } = useTeam()
  const members = useQuery(question(id, 'listMembers', {}))
  return (
    <SettingsFrame>
      <Section title={t('Members')} about={t('People who can sign in to this team.')}>
        <Answered answer={members}>
          {({ data }) => (
            <Rows label={t('Members')}>
              {data.map((member) => (
                <MemberLine key={member.id} member={member} />
              ))}
            </Rows>
          )}
        </Answered>
      </Section>
      {may('manage') && <Invitations />}
      <Section title={t('Role permissions')} about={t('The permissions of each role in this team.')}>
        <dl className="grid gap-x-4 gap-y-2 p-4 sm:grid-cols-[6rem_minmax(0,1fr)]">
          {ROLES.map(({ value, label }) => (
            <div key={value} className="contents">
              <dt className="font-medium">{label}</dt>
              <dd className="text-soft">{ROLE_SENTENCES[value]}</dd>
            </div>
          ))}
        </dl>
        {!may('manage') && (
          <p className="border-t border-line px-4 py-3 text-soft">
            {t('Only owners can invite people and change roles.')}
          </p>
        )}
      </Section>
    </SettingsFrame>
  )
}
