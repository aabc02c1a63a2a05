import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Role } from '../../../src/core/teams/access.ts'
import type { Invitation, NewInvitation } from '../../../src/core/teams/people.ts'
import { ask, question } from '../../data/ask.ts'
import { fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { ROLE_SENTENCES, ROLES } from '../../data/role-words.ts'
import { useTeam } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { SetUpMail } from '../../parts/accounts/no-mail.tsx'
import { Button } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/panel.tsx'
import { Row, Rows } from '../../parts/rows.tsx'
import { Time } from '../../parts/time.tsx'

export function Invitations() {
  const { id } = useTeam()
  const { data, error } = useQuery(question(id, 'listInvitations', {}))
  const [made, setMade] = useState<NewInvitation | null>(null)
  return (
    <Section title={t('Invite people')} about={t('People join by a link that works once.')}>
      <InviteForm onMade={setMade} />
      {made && <Made invitation={made} onDone={() => setMade(null)} />}
      {error && (
        <div className="border-t border-line p-4">
          <Refused error={error} />
        </div>
      )}
      {data && data.data.length > 0 && (
        <div className="border-t border-line">
          <h3 className="px-4 pt-3 font-medium">{t('Pending invitations')}</h3>
          <Rows label={t('Invitations')}>
            {data.data.map((invitation) => (
              <InvitationLine key={invitation.id} invitation={invitation} />
            ))}
          </Rows>
        </div>
      )}
    </Section>
  )
}

function InviteForm({ onMade }: { onMade: (invitation: NewInvitation) => void }) {
  const { id } = useTeam()
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [role, setRole] = useState<Role>('viewer')
  const invite = useMutation({
    mutationFn: ({ email = '' }: Record<string, string>) =>
      ask(id, 'createInvitation', { body: { email, role } }),
    onSuccess: async ({ data }) => {
      form.current?.reset()
      onMade(data)
      await queries.invalidateQueries(question(id, 'listInvitations', {}))
    },
  })
  const faults = faultsOf(invite.error)
  return (
    <form ref={form} onSubmit={(event) => invite.mutate(fieldsOf(event))} className="p-4">
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label={t('E-mail')}
          name="email"
          type="email"
          autoComplete="off"
          required
          className="min-w-0 flex-1 basis-64"
          faults={faults.email}
        />
        <SelectField
          label={t('Role')}
          name="role"
          value={role}
          onChange={(event) => setRole(Role.parse(event.target.value))}
          className="w-full sm:w-32"
          faults={faults.role}
        >
          {ROLES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <Button type="submit" tone="main" busy={invite.isPending} className="sm:mt-7">
          {t('Invite')}
        </Button>
      </div>
      <p className="mt-2 text-sm text-soft">{ROLE_SENTENCES[role]}</p>
      <Refused error={invite.error} shown={['email', 'role']} />
    </form>
  )
}

/** Shows the link, this once. */
function Made({ invitation, onDone }: { invitation: NewInvitation; onDone: () => void }) {
  const email = <strong className="wrap-anywhere">{invitation.email}</strong>
  return (
    <div role="status" className="mx-4 mb-4 flex flex-col gap-3 rounded-md border border-accent p-4">
      <p>
        {invitation.is_mailed
          ? rich('We sent an e-mail to {email}. You can also share this link:', { email })
          : rich('E-mail is not set up. Send this link to {email}:', { email })}
      </p>
      {!invitation.is_mailed && (
        <p className="text-sm text-soft">
          <SetUpMail />
        </p>
      )}
      <Copyable text={invitation.link} label={t('the link')} />
      <p className="text-sm text-soft">
        {rich('Shown once; valid for one use until {time}.', {
          time: <Time at={invitation.expires_at} as="date" />,
        })}
      </p>
      <Button size="small" className="self-start" onClick={onDone}>
        {t('Done')}
      </Button>
    </div>
  )
}

function InvitationLine({ invitation }: { invitation: Invitation }) {
  const { id } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const revoke = useMutation({
    mutationFn: () => ask(id, 'revokeInvitation', { id: invitation.id }),
    onSuccess: () => say.done(t('Invitation for {email} revoked.', { email: invitation.email })),
    onError: say.problem,
    onSettled: () => queries.invalidateQueries(question(id, 'listInvitations', {})),
  })
  return (
    <Row
      title={<span className="wrap-anywhere">{invitation.email}</span>}
      actions={
        <Button size="small" tone="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          <span>
            {rich('Revoke<hidden> the invitation for {email}</hidden>', { email: invitation.email, hidden })}
          </span>
        </Button>
      }
    >
      {t('As {role, select, owner {an owner} admin {an admin} other {a viewer}}', { role: invitation.role })}
      {invitation.invited_by && <> · {t('by {name}', { name: invitation.invited_by })}</>} ·{' '}
      {rich('expires {time}', { time: <Time at={invitation.expires_at} /> })}
    </Row>
  )
}
