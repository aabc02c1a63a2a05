import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnSession } from '../../../src/core/accounts/signed-in.ts'
import { askAccount, sessionsQuestion } from '../../data/account.ts'
import { sayUserAgent } from '../../data/user-agent.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Section } from '../../parts/panel.tsx'
import { Row, Rows, Tag } from '../../parts/rows.tsx'
import { Time } from '../../parts/time.tsx'

/** The sessions of the person, this browser's first. */
export function AccountSessions() {
  const answer = useQuery(sessionsQuestion)
  const others = answer.data?.filter((session) => !session.is_current) ?? []
  return (
    <Section
      title={t('Sessions')}
      about={t('Browsers in which you are signed in.')}
      actions={others.length > 0 && <EndOthers />}
    >
      <Answered answer={answer}>
        {(sessions) => (
          <Rows label={t('Sessions')}>
            {[...sessions.filter((session) => session.is_current), ...others].map((session) => (
              <SessionLine key={session.id} session={session} />
            ))}
          </Rows>
        )}
      </Answered>
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
  const browser = sayUserAgent(session.user_agent)
  return (
    <Row
      title={
        <>
          <span title={session.user_agent}>{browser}</span>
          {session.is_current && <Tag>{t('this browser')}</Tag>}
        </>
      }
      actions={
        !session.is_current && (
          <Button size="small" busy={end.isPending} onClick={() => end.mutate()}>
            {rich('Sign out<hidden> the session of {browser}</hidden>', { browser, hidden })}
          </Button>
        )
      }
    >
      {session.address} · {rich('signed in {time}', { time: <Time at={session.created_at} /> })}
      {!session.is_current && (
        <> · {rich('last used {time}', { time: <Time at={session.last_used_at} /> })}</>
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
