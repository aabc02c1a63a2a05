import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Account } from '../../../src/core/accounts/account-list.ts'
import { ACCOUNTS_KEY, askAccount } from '../../data/account.ts'
import { ROLE_WORDS } from '../../data/role-words.ts'
import { useSession } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Row, Tag } from '../../parts/rows.tsx'
import { Time } from '../../parts/time.tsx'

export function AccountLine({ account }: { account: Account }) {
  const { user } = useSession()
  const isYou = account.id === user.id
  return (
    <Row
      title={
        <>
          <span className="min-w-0">{account.name}</span>
          {isYou && <Tag>{t('you')}</Tag>}
          {account.is_operator && <Tag>{t('operator')}</Tag>}
          {account.disabled_at !== null && <Tag>{t('disabled')}</Tag>}
          {account.uses_second_factor && <Tag>{t('two-factor')}</Tag>}
        </>
      }
      actions={!isYou && <Deeds account={account} />}
    >
      <span className="wrap-anywhere">{account.email}</span> ·{' '}
      {rich('created {time}', { time: <Time at={account.created_at} as="date" /> })}
      {account.last_seen_at !== null && (
        <> · {rich('last seen {time}', { time: <Time at={account.last_seen_at} /> })}</>
      )}
      <span className="block wrap-anywhere">
        {account.teams.length === 0
          ? t('No team')
          : account.teams.map(({ name, role }) => `${name} (${ROLE_WORDS[role]})`).join(', ')}
      </span>
    </Row>
  )
}

function Deeds({ account }: { account: Account }) {
  const { id, name, is_operator: isOperator } = account
  const change = (body: { is_disabled?: boolean; is_operator?: boolean }) =>
    askAccount('updateAccount', { id, body })
  return (
    <>
      {isOperator ? (
        <Deed
          label={t('Remove operator')}
          of={name}
          title={t('Remove operator rights from {name}?', { name })}
          deed={() => change({ is_operator: false })}
          done={t('{name} is no longer an operator.', { name })}
        >
          {t('They can no longer open this page, or create teams unless sign-up is open.')}
        </Deed>
      ) : (
        <Deed
          label={t('Make operator')}
          of={name}
          title={t('Make {name} an operator?', { name })}
          deed={() => change({ is_operator: true })}
          done={t('{name} is now an operator.', { name })}
        >
          {t('They can create teams, and disable or delete any other account, including yours.')}
        </Deed>
      )}
      {account.disabled_at === null ? (
        <Deed
          label={t('Disable')}
          of={name}
          title={t('Disable the account of {name}?', { name })}
          deed={() => change({ is_disabled: true })}
          done={t('{name} is signed out everywhere and can no longer sign in.', { name })}
        >
          {t(
            'Their sessions, API tokens, connected programs and the invitations they created end at once, permanently. Their teams stay as they are.',
          )}
        </Deed>
      ) : (
        <Deed
          label={t('Enable')}
          of={name}
          title={t('Enable the account of {name}?', { name })}
          deed={() => change({ is_disabled: false })}
          done={t('{name} can sign in again.', { name })}
        >
          {t('They can sign in again. Ended tokens stay ended.')}
        </Deed>
      )}
      <Deed
        label={t('Delete')}
        of={name}
        title={t('Delete the account of {name}?', { name })}
        deed={() => askAccount('deleteAccount', { id })}
        done={t('Account of {name} deleted.', { name })}
      >
        {t(
          'This deletes their name, address, everything they sign in with, and contacts of their teams that use their address. Audit logs keep a number in their place. This cannot be undone.',
        )}
      </Deed>
    </>
  )
}

/** A button that asks for confirmation first. */
function Deed({
  label,
  of,
  title,
  deed,
  done,
  children,
}: {
  label: string
  of: string
  title: string
  deed: () => Promise<unknown>
  done: string
  children: ReactNode
}) {
  const queries = useQueryClient()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const doing = useMutation({
    mutationFn: deed,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ACCOUNTS_KEY })
      setAsking(false)
      say.done(done)
    },
  })
  return (
    <>
      <Button
        size="small"
        className="h-9"
        onClick={() => {
          doing.reset()
          setAsking(true)
        }}
      >
        {rich('{action}<hidden> {name}</hidden>', { action: label, name: of, hidden })}
      </Button>
      <Confirm
        title={title}
        verb={label}
        open={isAsking}
        busy={doing.isPending}
        onConfirm={() => doing.mutate()}
        onClose={() => setAsking(false)}
      >
        {children}
        <Refused error={doing.error} />
      </Confirm>
    </>
  )
}
