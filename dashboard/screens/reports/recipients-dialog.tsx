import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  MAX_REPORT_RECIPIENTS,
  NewRecipient,
  type ReportRecipient,
} from '../../../src/core/reports/recipient.ts'
import type { SavedReport } from '../../../src/core/reports/report.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { useMail } from '../../data/account.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { useForm } from '../../forms/use-form.ts'
import { rich, t } from '../../language/language.ts'
import { NoMail } from '../../parts/accounts/no-mail.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { TextField } from '../../parts/field.tsx'
import { Row, Rows, Tag } from '../../parts/rows.tsx'
import { Time } from '../../parts/time.tsx'

/** Addresses that get a report on the first of each month, without an account. */
export function RecipientsDialog({
  open,
  saved,
  onClose,
}: {
  open: boolean
  saved: SavedReport
  onClose: () => void
}) {
  return (
    <Dialog title={t('Send monthly')} open={open} onClose={onClose} wide>
      <Recipients saved={saved} />
      <div className="mt-5 flex justify-end">
        <Button onClick={onClose}>{t('Done')}</Button>
      </div>
    </Dialog>
  )
}

function Recipients({ saved }: { saved: SavedReport }) {
  const { id: team } = useTeam()
  const hasMail = useMail()
  const recipients = useQuery(question(team, 'listReportRecipients', { id: saved.id }))
  return (
    <div className="flex flex-col gap-4">
      <p className="text-soft">
        {rich(
          'On the first of each month, at 06:00 in {zone}, these addresses get the report of the previous month by e-mail, with its CSV file. They need no account. Next: {time}.',
          { zone: saved.time_zone, time: <Time at={saved.next_mail_at} as="date" /> },
        )}
      </p>
      {hasMail ? <AddForm saved={saved} /> : <NoMail />}
      <div className="rounded-md border border-line">
        <Answered answer={recipients} lines={2}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="px-4 py-3 text-soft">{t('No addresses yet.')}</p>
            ) : (
              <Rows label={t('Recipients')}>
                {data.map((recipient) => (
                  <Recipient key={recipient.id} recipient={recipient} />
                ))}
              </Rows>
            )
          }
        </Answered>
      </div>
    </div>
  )
}

function AddForm({ saved }: { saved: SavedReport }) {
  const { id: team } = useTeam()
  const stale = useStaleReports()
  const say = useNotices()
  const form = useForm({
    initial: { email: '' },
    names: ['email'],
    judge: ({ email }) => parseFields(NewRecipient, { email: String(email).trim() }),
    send: async (body: NewRecipient) => (await ask(team, 'addReportRecipient', { id: saved.id, body })).data,
    onDone: ({ address, state }) => {
      stale()
      form.set('email', '')
      say.done(
        state === 'confirmed'
          ? t('{address} added.', { address })
          : t('{address} was asked to confirm.', { address }),
      )
    },
  })
  return (
    <form ref={form.element} onSubmit={form.submit} noValidate className="flex flex-wrap items-start gap-2">
      <TextField
        label={t('E-mail address')}
        type="email"
        autoComplete="off"
        className="min-w-52 flex-1"
        value={String(form.draft.email)}
        faults={form.faults('email')}
        hint={t(
          'We ask the address to confirm by a link before it gets a report. Up to {max, number} addresses.',
          {
            max: MAX_REPORT_RECIPIENTS,
          },
        )}
        onChange={({ target }) => form.set('email', target.value)}
      />
      <Button type="submit" tone="main" className="mt-7" busy={form.busy}>
        {t('Add')}
      </Button>
      {form.refusal !== null && (
        <p role="alert" className="basis-full text-down">
          {form.refusal}
        </p>
      )}
    </form>
  )
}

const STATE_WORDS = { unconfirmed: t('unconfirmed'), refused: t('refused') } as const

function Recipient({
  recipient: { id, address, state, created_at, last_sent_at },
}: {
  recipient: ReportRecipient
}) {
  const { id: team } = useTeam()
  const stale = useStaleReports()
  const say = useNotices()
  const remove = useMutation({
    mutationFn: () => ask(team, 'removeReportRecipient', { id }),
    onSuccess: () => {
      stale()
      say.done(t('{address} removed.', { address }))
    },
    onError: say.problem,
  })
  return (
    <Row
      title={
        <>
          <span className="min-w-0 break-all">{address ?? t('Address hidden')}</span>
          {state !== 'confirmed' && <Tag>{STATE_WORDS[state]}</Tag>}
        </>
      }
      actions={
        <Button
          size="small"
          aria-label={t('Remove {address}', { address })}
          busy={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {t('Remove')}
        </Button>
      }
    >
      {state === 'refused' ? (
        <p>{t('The address refuses mail. Add it again once it works.')}</p>
      ) : state === 'unconfirmed' ? (
        <p>
          {rich('Asked to confirm {time}. Removed after a week without confirmation.', {
            time: <Time at={created_at} />,
          })}
        </p>
      ) : last_sent_at ? (
        <p>{rich('Last sent {time}', { time: <Time at={last_sent_at} as="date" /> })}</p>
      ) : (
        <p>{t('Confirmed. Nothing sent yet.')}</p>
      )}
    </Row>
  )
}

function useStaleReports() {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  return () => {
    for (const list of ['listReports', 'listReportRecipients'] as const) {
      void queries.invalidateQueries({ queryKey: [team, list] })
    }
  }
}
