import { useMutation } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { mailTestAdvice } from '../../../src/core/accounts/mail-test-advice.ts'
import type { MailTest, MailTestBody } from '../../../src/core/accounts/service-settings.ts'
import { askAccount } from '../../data/account.ts'
import { useSession } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Spinner } from '../../parts/button.tsx'

const POLL_MS = 400

type Tried = { asked: MailTestBody; found: MailTest; isTaken: boolean }

/** Mails by settings that are not saved, and resolves with what became of it. */
export function useMailTest() {
  const gone = useRef<AbortController>(null)
  useEffect(() => () => gone.current?.abort(), [])
  return useMutation({
    mutationFn: async (asked: MailTestBody): Promise<Tried> => {
      gone.current?.abort()
      gone.current = new AbortController()
      const { id } = await askAccount('testMail', { body: asked })
      return { asked, ...(await outcomeOf(id, gone.current.signal)) }
    },
  })
}

/** The service bounds the time: a test that nobody has answered by then is gone. */
async function outcomeOf(id: number, signal: AbortSignal): Promise<Omit<Tried, 'asked'>> {
  let isTaken = false
  for (;;) {
    const found = await askAccount('showMailTest', { id })
    isTaken ||= found.state !== 'waiting' && found.state !== 'gone'
    if (signal.aborted || !['waiting', 'sending'].includes(found.state)) return { found, isTaken }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** The outcome of the test mail; nothing before the first. */
export function MailTestPanel({
  test,
  asked,
}: {
  test: ReturnType<typeof useMailTest>
  asked: MailTestBody
}) {
  if (test.isIdle || test.isError) return null
  return (
    <div role="status" className="flex flex-col gap-2 rounded-md border border-line bg-sunken p-3">
      {test.isPending ? (
        <p className="flex items-center gap-2">
          <Spinner /> {t('Sending a test mail with these settings…')}
        </p>
      ) : (
        <>
          {JSON.stringify(test.data.asked) !== JSON.stringify(asked) && (
            <p className="text-soft">{t('You have changed the form since this test.')}</p>
          )}
          <Outcome {...test.data} />
        </>
      )}
    </div>
  )
}

function Outcome({ found: { state, status_code: code, detail }, isTaken }: Tried) {
  const { user } = useSession()
  if (state === 'sent') {
    return (
      <>
        <p className="flex items-start gap-2 text-up">
          <CircleCheck aria-hidden size={18} className="mt-0.5 shrink-0" />
          <span className="wrap-anywhere">
            {rich('The mail server took the mail to {email}.', { email: <strong>{user.email}</strong> })}
          </span>
        </p>
        <p className="text-sm text-soft">
          {t('Look into your mailbox, and into its spam folder. Nothing was saved by the test.')}
        </p>
      </>
    )
  }
  return (
    <>
      <p className="flex items-start gap-2 font-medium text-down">
        <CircleAlert aria-hidden size={18} className="mt-0.5 shrink-0" />
        {t('The test mail was not sent.')}
      </p>
      {detail === null ? (
        <p>{isTaken ? LOST : UNTAKEN}</p>
      ) : (
        <>
          <p>{t(mailTestAdvice(code, detail))}</p>
          <p className="text-sm">
            {rich('The answer: {answer}', {
              answer: <code className="font-mono wrap-anywhere">{detail}</code>,
            })}
          </p>
        </>
      )}
    </>
  )
}

const UNTAKEN = t(
  'No process of this service has taken on the test. The service may be restarting, or none of its processes has the role “alerts”.',
)
const LOST = t('No result arrived in time. Try again.')
