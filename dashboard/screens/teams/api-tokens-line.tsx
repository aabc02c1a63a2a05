import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiToken } from '../../../src/core/teams/people.ts'
import { useNotices } from '../../app/notices.tsx'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Row, Tag } from '../../parts/rows.tsx'
import { Time, useNow } from '../../parts/time.tsx'

export function TokenLine({ token }: { token: ApiToken }) {
  const now = useNow()
  const isExpired = token.expires_at !== null && Date.parse(token.expires_at) <= now
  return (
    <Row
      title={
        <>
          <span className={token.revoked_at ? 'min-w-0 text-soft line-through' : 'min-w-0'}>
            {token.name}
          </span>
          {token.connection ? (
            <Tag>{t('connected program')}</Tag>
          ) : (
            <span className="font-mono text-sm font-normal text-soft">
              <span className="sr-only">{t('ending in ')}</span>
              <span aria-hidden>…</span>
              {token.ending}
            </span>
          )}
          {token.revoked_at ? <Tag>{t('revoked')}</Tag> : isExpired && <Tag>{t('expired')}</Tag>}
        </>
      }
      actions={token.revoked_at === null && <Revocation token={token} />}
    >
      {token.is_yours ? t('Yours') : t('By {createdby}', { createdby: token.created_by })},{' '}
      {token.connection ? 'connected' : 'created'} <Time at={token.created_at} />
      {token.connection && ` · ${token.connection.access === 'read' ? 'read-only' : t('read and write')}`}
      {' · '}
      {token.last_used_at ? (
        <>
          last used <Time at={token.last_used_at} />
        </>
      ) : (
        'never used'
      )}
      {token.revoked_at ? (
        <>
          {' · '}revoked <Time at={token.revoked_at} />
        </>
      ) : (
        token.expires_at && (
          <>
            {' · '}
            {isExpired ? 'expired' : token.connection ? t('expires unless used,') : 'expires'}{' '}
            <Time at={token.expires_at} />
          </>
        )
      )}
    </Row>
  )
}

function Revocation({ token }: { token: ApiToken }) {
  const { id } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const revoke = useMutation({
    mutationFn: () => ask(id, 'revokeApiToken', { id: token.id }),
    onSuccess: async () => {
      await queries.invalidateQueries(question(id, 'listApiTokens', {}))
      say.done(t('Token {name} revoked.', { name: token.name }))
      setAsking(false)
    },
  })
  return (
    <>
      <Button
        size="small"
        tone="danger"
        onClick={() => {
          revoke.reset()
          setAsking(true)
        }}
      >
        Revoke<span className="sr-only"> {token.name}</span>
      </Button>
      <Confirm
        title={t('Revoke {name}?', { name: token.name })}
        verb={t('Revoke')}
        open={isAsking}
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
        onClose={() => setAsking(false)}
      >
        Programs that use it lose access at once. This cannot be undone.
        <Refused error={revoke.error} />
      </Confirm>
    </>
  )
}
