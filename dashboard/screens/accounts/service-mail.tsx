import { useRef, useState } from 'react'
import type {
  MailServer,
  ServiceSettings,
  ShownMailServer,
} from '../../../src/core/accounts/service-settings.ts'
import { useSaveServiceSettings } from '../../data/account.ts'
import { faultsOf } from '../../data/problem.ts'
import { LeaveGuard } from '../../forms/form-frame.tsx'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Section } from '../../parts/panel.tsx'
import { FixedSetting } from './service-fixed.tsx'
import { SenderField, ServerFields, type TypedServer } from './service-mail-fields.tsx'
import { MailTestPanel, useMailTest } from './service-mail-test.tsx'

export function ServiceMail({ settings }: { settings: ServiceSettings }) {
  return (
    <Section
      title={t('Mail')}
      about={t(
        'Alerts by e-mail, invitations, password resets, reports and messages to subscribers go through this server.',
      )}
    >
      <MailForm key={JSON.stringify([settings.mail_server, settings.mail_from])} settings={settings} />
    </Section>
  )
}

const EMPTY: TypedServer = {
  ...{ host: '', port: '587', security: 'starttls', verifies: true, user: '', password: '' },
}

function typedOf(server: ShownMailServer | null): TypedServer {
  if (server === null) return EMPTY
  const { host, port, security, verifies_certificate: verifies, user } = server
  return { host, port: String(port), security, verifies, user: user ?? '', password: '' }
}

function serverOf({ host, port, security, verifies, user, password }: TypedServer): MailServer {
  return {
    ...{ host, security, verifies_certificate: verifies },
    // Text that is no number is refused with the field's own words.
    port: /^\d+$/.test(port.trim()) ? Number(port) : (port as unknown as number),
    user: user.trim() === '' ? null : user,
    password: password === '' ? null : password,
  }
}

function MailForm({ settings }: { settings: ServiceSettings }) {
  const { mail_server: server, mail_from: from } = settings
  const begun = { ...typedOf(server.value), from: from.source === 'saved' ? from.value : '' }
  const [typed, setTyped] = useState(begun)
  const say = useNotices()
  const save = useSaveServiceSettings(() => {
    // A new password changes nothing that the answer shows.
    setTyped((all) => ({ ...all, password: '' }))
    say.done(t('Mail settings saved. The next mail uses them.'))
  })
  const test = useMailTest()
  const [isAsking, setAsking] = useState(false)
  const isDirty = useRef(false)
  isDirty.current = JSON.stringify(typed) !== JSON.stringify(begun)
  const isServerFixed = server.source === 'environment'
  const isFromFixed = from.source === 'environment'
  const wanted = {
    mail_server: isServerFixed ? null : serverOf(typed),
    mail_from: isFromFixed || typed.from.trim() === '' ? null : typed.from,
  }
  const problem = save.error ?? test.error
  const faults = faultsOf(problem)
  const set = (changes: Partial<typeof typed>) => {
    save.reset()
    if (test.isError) test.reset()
    setTyped((all) => ({ ...all, ...changes }))
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        test.reset()
        save.mutate({
          ...(!isServerFixed && { mail_server: serverOf(typed) }),
          ...(!isFromFixed && { mail_from: wanted.mail_from }),
        })
      }}
      className="flex flex-col gap-4 p-4"
    >
      {settings.is_mail_unreadable && (
        <p role="alert" className="text-down">
          {t(
            'The saved mail server cannot be read: it was sealed with another SECRET_KEY. Enter it again, or start the service with the old key in SECRET_KEY_PREVIOUS.',
          )}
        </p>
      )}
      {isServerFixed ? (
        <FixedSetting variable="SMTP_URL">
          {server.value && `${server.value.host}:${server.value.port}`}
        </FixedSetting>
      ) : (
        <ServerFields
          typed={typed}
          set={set}
          faults={faults}
          hasPassword={server.value?.has_password === true}
        />
      )}
      {isFromFixed ? (
        <FixedSetting variable="MAIL_FROM">{from.value}</FixedSetting>
      ) : (
        <SenderField
          value={typed.from}
          usual={from.default}
          onChange={(value) => set({ from: value })}
          faults={faults.mail_from}
        />
      )}
      <MailTestPanel test={test} asked={wanted} />
      <Refused error={problem} shown={SHOWN} />
      <div className="flex flex-wrap items-center gap-2">
        {!(isServerFixed && isFromFixed) && (
          <Button type="submit" tone="main" busy={save.isPending}>
            {t('Save mail settings')}
          </Button>
        )}
        <Button
          busy={test.isPending}
          onClick={() => {
            save.reset()
            test.mutate(wanted)
          }}
        >
          {t('Send a test mail to me')}
        </Button>
        {server.source === 'saved' && (
          <Button tone="quiet" onClick={() => setAsking(true)}>
            {t('Remove mail server')}
          </Button>
        )}
      </div>
      <Confirm
        title={t('Remove the mail server?')}
        verb={t('Remove mail server')}
        open={isAsking}
        busy={save.isPending}
        onConfirm={() => save.mutate({ mail_server: null }, { onSettled: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        {t('No alert, invitation or password reset is mailed until you set one up again.')}
      </Confirm>
      <LeaveGuard form={{ isDirty }} />
    </form>
  )
}

const SHOWN = [
  'mail_server.host',
  'mail_server.port',
  'mail_server.user',
  'mail_server.password',
  'mail_from',
]
