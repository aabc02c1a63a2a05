import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Role } from '../../../src/core/teams/access.ts'
import type { Member } from '../../../src/core/teams/people.ts'
import { ask, question } from '../../data/ask.ts'
import { ROLE_SENTENCES, ROLES, roleWord } from '../../data/role-words.ts'
import { useTeam } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { SELECT_LOOK } from '../../parts/field.tsx'
import { Row, Tag } from '../../parts/rows.tsx'
import { Time } from '../../parts/time.tsx'

export function MemberLine({ member }: { member: Member }) {
  const { may } = useTeam()
  return (
    <Row
      title={
        <>
          <span className="min-w-0">{member.name}</span>
          {member.is_you && <Tag>{t('you')}</Tag>}
          {member.uses_second_factor && <Tag>{t('two-factor')}</Tag>}
        </>
      }
      actions={
        may('manage') ? (
          <>
            <RoleChoice member={member} />
            {!member.is_you && <Removal member={member} />}
          </>
        ) : (
          <span>{roleWord(member.role)}</span>
        )
      }
    >
      <span className="wrap-anywhere">{member.email}</span> ·{' '}
      {rich('joined {time}', { time: <Time at={member.joined_at} as="date" /> })}
    </Row>
  )
}

/** Each change needs a confirmation: it ends sessions, and a select changes with a single key. */
function RoleChoice({ member }: { member: Member }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [wanted, setWanted] = useState<Role | null>(null)
  const change = useMutation({
    mutationFn: (role: Role) => ask(team, 'updateMember', { id: member.id, body: { role } }),
    onSuccess: async (_, role) => {
      // One's own session has ended with that.
      if (member.is_you) return location.assign('/sign-in')
      await queries.invalidateQueries(question(team, 'listMembers', {}))
      setWanted(null)
      say.done(
        t('{name} is now {role, select, owner {an owner} admin {an admin} other {a viewer}}.', {
          name: member.name,
          role,
        }),
      )
    },
  })
  return (
    <>
      <select
        aria-label={t('Role of {name}', { name: member.name })}
        value={member.role}
        onChange={(event) => {
          change.reset()
          setWanted(Role.parse(event.target.value))
        }}
        className={`${SELECT_LOOK} h-9 w-32! max-md:w-36!`}
      >
        {ROLES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Confirm
        title={sayChange(member, wanted ?? member.role)}
        verb={t('Change role')}
        open={wanted !== null}
        busy={change.isPending}
        onConfirm={() => wanted && change.mutate(wanted)}
        onClose={() => setWanted(null)}
      >
        {wanted && <p>{ROLE_SENTENCES[wanted]}</p>}
        <p className="mt-2">
          {member.is_you
            ? t('You will be signed out and have to sign in again.')
            : t('They will be signed out and have to sign in again.')}
        </p>
        <Refused error={change.error} />
      </Confirm>
    </>
  )
}

function sayChange({ name, is_you: isYou }: Member, role: Role): string {
  return isYou
    ? t('Make yourself {role, select, owner {an owner} admin {an admin} other {a viewer}}?', { role })
    : t('Make {name} {role, select, owner {an owner} admin {an admin} other {a viewer}}?', { name, role })
}

function Removal({ member }: { member: Member }) {
  const { id: team, name } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const removal = useMutation({
    mutationFn: () => ask(team, 'removeMember', { id: member.id }),
    onSuccess: async () => {
      await queries.invalidateQueries(question(team, 'listMembers', {}))
      say.done(t('{name} was removed.', { name: member.name }))
    },
  })
  return (
    <>
      <Button
        size="small"
        tone="danger"
        className="h-9"
        onClick={() => {
          removal.reset()
          setAsking(true)
        }}
      >
        <span>{rich('Remove<hidden> {name}</hidden>', { name: member.name, hidden })}</span>
      </Button>
      <Confirm
        title={t('Remove {name}?', { name: member.name })}
        verb={t('Remove')}
        open={isAsking}
        busy={removal.isPending}
        onConfirm={() => removal.mutate()}
        onClose={() => setAsking(false)}
      >
        {t('They lose access to {team}, and the API tokens they created stop working at once.', {
          team: name,
        })}
        <Refused error={removal.error} />
      </Confirm>
    </>
  )
}
