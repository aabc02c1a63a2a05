import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiToken, NewApiToken } from '../../../src/core/teams/people.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Row, Tag } from '../../parts/rows.tsx'
import { Time, useNow } from '../../parts/time.tsx'
import { Rotation } from './api-tokens-rotation.tsx'

export function TokenLine({ token, onMade }: { token: ApiToken; onMade: (made: NewApiToken) => void }) {
  const { may } = useTeam()
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
              <span className="sr-only">{t('ending in')} </span>
              <span aria-hidden>…</span>
              {token.ending}
            </span>
          )}
          {token.is_read_only && <Tag>{t('read-only')}</Tag>}
          {token.revoked_at ? <Tag>{t('revoked')}</Tag> : isExpired && <Tag>{t('expired')}</Tag>}
        </>
      }
      actions={
        token.revoked_at === null && (
          <>
            {token.is_yours && !token.connection && !isExpired && may('write') && (
              <Rotation token={token} onMade={onMade} />
            )}
            <Revocation token={token} />
          </>
        )
      }
    >
      {token.is_yours ? t('Yours') : t('By {name}', { name: token.created_by })}, <Start token={token} />
      {token.connection && ` · ${token.connection.access === 'read' ? t('read-only') : t('read and write')}`}
      {' · '}
      {token.last_used_at
        ? rich('last used {time}', { time: <Time at={token.last_used_at} /> })
        : t('never used')}
      <UsedFrom token={token} />
      {(token.revoked_at ?? token.expires_at) !== null && (
        <>
          {' · '}
          <End token={token} isExpired={isExpired} />
        </>
      )}
    </Row>
  )
}

function Start({ token: { connection, created_at } }: { token: ApiToken }) {
  const time = <Time at={created_at} />
  return <>{connection ? rich('connected {time}', { time }) : rich('created {time}', { time })}</>
}

/** The address and the program of the last use, which may be one that should not have it. */
function UsedFrom({ token: { last_used_from: address, last_used_by: agent } }: { token: ApiToken }) {
  if (address === null) return null
  const program = agent?.split(' ')[0]
  return (
    <>
      {' '}
      {program ? (
        <span title={agent ?? undefined} className="wrap-anywhere">
          {t('from {address} by {program}', { address, program })}
        </span>
      ) : (
        t('from {address}', { address })
      )}
    </>
  )
}

/** When it was revoked, or when it expires. */
function End({ token, isExpired }: { token: ApiToken; isExpired: boolean }) {
  const { revoked_at, expires_at, connection } = token
  if (revoked_at !== null) return <>{rich('revoked {time}', { time: <Time at={revoked_at} /> })}</>
  if (expires_at === null) return null
  const time = <Time at={expires_at} />
  if (isExpired) return <>{rich('expired {time}', { time })}</>
  return <>{connection ? rich('expires unless used, {time}', { time }) : rich('expires {time}', { time })}</>
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
        <span>{rich('Revoke<hidden> {name}</hidden>', { name: token.name, hidden })}</span>
      </Button>
      <Confirm
        title={t('Revoke {name}?', { name: token.name })}
        verb={t('Revoke')}
        open={isAsking}
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
        onClose={() => setAsking(false)}
      >
        {t('Programs that use it lose access at once. This cannot be undone.')}
        <Refused error={revoke.error} />
      </Confirm>
    </>
  )
}
