import { useState } from 'react'
import { readSiteUrl, type ServiceSettings } from '../../../src/core/accounts/service-settings.ts'
import { useSaveServiceSettings } from '../../data/account.ts'
import { faultsOf } from '../../data/problem.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/panel.tsx'
import { FixedSetting } from './service-fixed.tsx'

const VARIABLE = 'SITE_URL'

export function ServiceAddress({ settings }: { settings: ServiceSettings }) {
  const { value, source } = settings.site_url
  return (
    <Section
      title={t('Public address')}
      about={t('Links in alerts, mails, invitations, badges and ping URLs begin with it.')}
    >
      <div className="p-4">
        {source === 'environment' ? (
          <FixedSetting variable="SITE_URL">{value}</FixedSetting>
        ) : (
          <AddressForm key={value} settings={settings} />
        )}
      </div>
    </Section>
  )
}

function AddressForm({ settings }: { settings: ServiceSettings }) {
  const { value, source, default: usual } = settings.site_url
  const [typed, setTyped] = useState(source === 'saved' ? value : '')
  const say = useNotices()
  const save = useSaveServiceSettings(() => say.done(t('Public address saved.')))
  const { origin } = location
  const next = typed.trim() === '' ? usual : readSiteUrl(typed.trim())
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ site_url: typed.trim() === '' ? null : typed })
      }}
      className="flex flex-col items-start gap-4"
    >
      <TextField
        label={t('Address')}
        type="url"
        value={typed}
        placeholder={usual}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => {
          save.reset()
          setTyped(target.value)
        }}
        hint={t('The address at which others reach this service, without a path')}
        faults={faultsOf(save.error).site_url}
        className="w-full max-w-lg"
      />
      {origin !== value && typed.trim() !== origin && (
        <Button size="small" onClick={() => setTyped(origin)}>
          {t('Use {url}', { url: origin })}
        </Button>
      )}
      {next !== null && next !== value && <Consequences settings={settings} next={next} />}
      <Refused error={save.error} shown={['site_url']} />
      <Button type="submit" tone="main" busy={save.isPending}>
        {t('Save address')}
      </Button>
    </form>
  )
}

/** The consequences of another address for those who have the old one, while it can still be thought over. */
function Consequences({ settings, next }: { settings: ServiceSettings; next: string }) {
  const [before, after] = [new URL(settings.site_url.value), new URL(next)]
  const isOtherHost = before.hostname !== after.hostname
  const { origin } = location
  return (
    <section
      aria-labelledby="before-saving"
      className="flex w-full flex-col gap-2 rounded-md border border-degraded p-3"
    >
      <h3 id="before-saving" className="font-medium">
        {t('Before you save')}
      </h3>
      <ul className="list-disc pl-5">
        {origin !== next && (
          <li>
            {rich(
              'You opened this page at {here}. Make sure that {next} leads to this service: otherwise no one can sign in until it is started with {setting}.',
              {
                here: <strong className="wrap-anywhere">{origin}</strong>,
                next: <strong className="wrap-anywhere">{next}</strong>,
                setting: <code className="font-mono">{VARIABLE}</code>,
              },
            )}
          </li>
        )}
        {(isOtherHost || before.protocol !== after.protocol) && (
          <li>{t('Everyone, including you, signs in again.')}</li>
        )}
        {isOtherHost && settings.passkeys > 0 && (
          <li>
            {t(
              '{count, plural, one {# passkey stops} other {# passkeys stop}} working, since each belongs to the host {host}. Their owners sign in by password, or have a new one mailed to them, and add a passkey again.',
              { count: settings.passkeys, host: before.hostname },
            )}
          </li>
        )}
        {settings.oidc_callback !== null && (
          <li>
            {rich('Add {callback} to the redirect addresses at your identity provider first.', {
              callback: (
                <code className="font-mono wrap-anywhere">
                  {settings.oidc_callback.replace(settings.site_url.value, next)}
                </code>
              ),
            })}
          </li>
        )}
        <li>{t('AI clients and other connected programs have to be connected again.')}</li>
        <li>
          {t(
            'Links, ping URLs, badges, calendars and server agents that have the old address work only while it still leads here.',
          )}
        </li>
      </ul>
    </section>
  )
}
