import type { MailSecurity } from '../../../src/core/accounts/service-settings.ts'
import { t } from '../../language/language.ts'
import { SelectField, TextField, Tick } from '../../parts/field.tsx'

export type TypedServer = {
  host: string
  port: string
  security: MailSecurity
  verifies: boolean
  user: string
  password: string
}

const SECURITIES: Record<MailSecurity, { label: string; port: string }> = {
  starttls: { label: t('STARTTLS, required'), port: '587' },
  tls: { label: t('TLS from the start'), port: '465' },
  opportunistic: { label: t('STARTTLS where the server offers it'), port: '25' },
  off: { label: t('None'), port: '25' },
}

/** The fields of a mail server. */
export function ServerFields({
  typed,
  set,
  faults,
  hasPassword,
}: {
  typed: TypedServer
  set: (changes: Partial<TypedServer>) => void
  faults: Record<string, string[]>
  /** Whether one is saved, which an empty field keeps. */
  hasPassword: boolean
}) {
  const { host, port, security, verifies, user, password } = typed
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_7rem]">
        <TextField
          label={t('Host')}
          value={host}
          placeholder="smtp.example.com"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => set({ host: target.value })}
          faults={faults['mail_server.host']}
        />
        <TextField
          label={t('Port')}
          value={port}
          inputMode="numeric"
          autoComplete="off"
          onChange={({ target }) => set({ port: target.value })}
          faults={faults['mail_server.port']}
        />
      </div>
      <SelectField
        label={t('Encryption')}
        value={security}
        className="w-full max-w-sm"
        onChange={({ target }) => {
          const next = target.value as MailSecurity
          set({
            security: next,
            ...(port === SECURITIES[security].port && { port: SECURITIES[next].port }),
          })
        }}
        hint={
          security === 'off' || security === 'opportunistic'
            ? t('For a server on your own network: mails and a password could be read on the way.')
            : undefined
        }
      >
        {Object.entries(SECURITIES).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {security !== 'off' && (
        <Tick
          label={t('Check the server’s certificate')}
          hint={t('Turn this off only for a server that you run yourself, with a certificate of its own.')}
          checked={verifies}
          onChange={({ target }) => set({ verifies: target.checked })}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('User name')}
          value={user}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => set({ user: target.value })}
          hint={t('Empty for a server that wants no sign-in')}
          faults={faults['mail_server.user']}
        />
        <TextField
          label={t('Password')}
          type="password"
          value={password}
          autoComplete="new-password"
          disabled={user.trim() === ''}
          onChange={({ target }) => set({ password: target.value })}
          hint={hasPassword ? t('Empty keeps the saved one') : undefined}
          faults={faults['mail_server.password']}
        />
      </div>
    </>
  )
}

export function SenderField({
  value,
  usual,
  onChange,
  faults,
}: {
  value: string
  usual: string
  onChange: (value: string) => void
  faults: string[] | undefined
}) {
  return (
    <TextField
      label={t('Sender')}
      value={value}
      placeholder={usual}
      autoComplete="off"
      spellCheck={false}
      className="w-full max-w-lg"
      onChange={({ target }) => onChange(target.value)}
      hint={t('An address that the server lets you send from, alone or with a name, as in the example')}
      faults={faults}
    />
  )
}
