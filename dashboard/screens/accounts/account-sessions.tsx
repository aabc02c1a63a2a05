import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnSession } from '../../../src/core/accounts/signed-in.ts'
import { useNotices } from '../../app/notices.tsx'
import { askAccount, sessionsQuestion } from '../../data/account.ts'
import { sayUserAgent } from '../../data/user-agent.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Section, Waiting } from '../../parts/panel.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Row, Rows, Tag } from '../../parts/rows.tsx'
import { Time } from '../../parts/time.tsx'

/** The sessions of the person, this browser's first. */
export function AccountSessions() {
  const { data: sessions, error } = useQuery(sessionsQuestion)
  const others = sessions?.filter((session) => !session.is_current) ?? []
  return (
    <Section
      title={t('Sessions')}
      about={t('Browsers in which you are signed in.')}
      actions={others.length > 0 && <EndOthers />}
    >
      {error ? (
        <div className="p-4">
          <Refused error={error} />
        </div>
      ) : sessions ? (
        <Rows label={t('Sessions')}>
          {[...sessions.filter((session) => session.is_current), ...others].map((session) => (
            <SessionLine key={session.id} session={session} />
          ))}
        </Rows>
      ) : (
        <Waiting />
      )}
    </Section>
  )
}

function SessionLine({ session }: { session: OwnSession }) {
  const queries = useQueryClient()
  const say = useNotices()
  const end = useMutation({
    mutationFn: () => askAccount('endSession', { id: session.id }),
    onError: say.problem,
    onSettled: () => queries.invalidateQueries(sessionsQuestion),
  })
  const words = sayUserAgent(session.user_agent)
  return (
    <Row
      title={
        <>
          <span title={session.user_agent}>{words}</span>
          {session.is_current && <Tag>{t('this browser')}</Tag>}
        </>
      }
      actions={
        !session.is_current && (
          <Button size="small" busy={end.isPending} onClick={() => end.mutate()}>
            Sign out<span className="sr-only">{t(' the session of {words}', { words })}</span>
          </Button>
        )
      }
    >
      {session.address} · signed in <Time at={session.created_at} />
      {!session.is_current && (
        <>
          {' '}
          · last used <Time at={session.last_used_at} />
        </>
      )}
    </Row>
  )
}

function EndOthers() {
  const queries = useQueryClient()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const end = useMutation({
    mutationFn: () => askAccount('endOtherSessions', {}),
    onSuccess: () => say.done(t('All other sessions are signed out.')),
    onError: say.problem,
    onSettled: async () => {
      await queries.invalidateQueries(sessionsQuestion)
      setAsking(false)
    },
  })
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {t('Sign out all other sessions')}
      </Button>
      <Confirm
        title={t('Sign out all other sessions?')}
        verb={t('Sign out')}
        open={isAsking}
        busy={end.isPending}
        onConfirm={() => end.mutate()}
        onClose={() => setAsking(false)}
      >
        {t('You will have to sign in again in every other browser. This one stays signed in.')}
      </Confirm>
    </>
  )
}
