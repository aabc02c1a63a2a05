import { useQuery } from '@tanstack/react-query'
import { ACCOUNT_EVENT_WORDS, type AccountEvent } from '../../../src/core/accounts/account-log.ts'
import { accountLogQuestion } from '../../data/account.ts'
import { sayUserAgent } from '../../data/user-agent.ts'
import { t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { Section } from '../../parts/panel.tsx'
import { Row, Rows } from '../../parts/rows.tsx'
import { Time } from '../../parts/time.tsx'

/** The log of changes to one's account, where people can spot changes that they did not make. */
export function AccountLog() {
  return (
    <Section title={t('Recent changes')} about={t('Changes to how you sign in, of the last 400 days.')}>
      <Answered answer={useQuery(accountLogQuestion)} lines={2}>
        {(events) =>
          events.length === 0 ? (
            <p className="p-4 text-soft">
              {t(
                'Nothing yet. Changes to your password, address, second factor and passkeys, and new API tokens, are listed here for 400 days. If e-mail is set up, you also get them by e-mail.',
              )}
            </p>
          ) : (
            <Rows label={t('Account log')}>
              {events.map((event) => (
                <EventLine key={event.id} event={event} />
              ))}
            </Rows>
          )
        }
      </Answered>
    </Section>
  )
}

function EventLine({ event }: { event: AccountEvent }) {
  const title = t(ACCOUNT_EVENT_WORDS[event.kind].title)
  return (
    <Row title={event.detail === null ? title : `${title}: ${event.detail}`}>
      <Time at={event.at} as="date" />
      {event.address !== null && ` · ${event.address}`}
      {event.user_agent !== null && ` · ${sayUserAgent(event.user_agent)}`}
    </Row>
  )
}
