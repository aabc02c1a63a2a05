import type { ContactType } from '../../core/alerting/contact.ts'
import type { Draft } from '../draft.ts'
import { entryOf, type Fields, isFields, isOn, numberOf, recordsOf, textOf } from '../fields.ts'
import { isOwnTelegram, OWN_TELEGRAM } from '../reasons.ts'
import { HOLDS_VARIABLE, holdsVariable } from './variables.ts'

export type Alerting = {
  /** The contacts of an endpoint's alerts. A contact is drafted when the first endpoint uses it. */
  contactsOf(endpoint: Fields, name: string): { contacts: string[]; notes: string[] }
}

/** Reads the section `alerting` of a configuration. */
export function readAlerting(draft: Draft, value: unknown): Alerting {
  const providers = new Map(
    Object.entries(isFields(value) ? value : {}).flatMap(([kind, provider]) =>
      isFields(provider) ? [[kind, provider] as const] : [],
    ),
  )
  for (const kind of providers.keys()) {
    if (!entryOf(READERS, kind)) draft.skip(`alerting ${kind}`, `there is no contact of the kind ${kind}`)
  }
  const said = new Set<string>()

  function contactsOfAlert(endpoint: Fields, name: string, alert: Fields, notes: string[]): string[] {
    const kind = textOf(alert.type)
    const provider = providers.get(kind)
    const read = entryOf(READERS, kind)
    const settings = { ...(isFields(provider?.['default-alert']) && provider['default-alert']), ...alert }
    if (!isOn(settings.enabled, true) || (provider && !read)) return []
    if (!provider || !read) {
      notes.push(`uses the alerting ${kind}, which the configuration does not have`)
      return []
    }
    if ((numberOf(settings['failure-threshold']) ?? DEFAULT_THRESHOLD) > 1) notes.push(FIRST_FAILURE)
    if (textOf(settings['minimum-reminder-interval'])) notes.push(NO_REMINDERS)
    const { config, called } = configFor(provider, endpoint, alert, name)
    const fault = faultOf(config)
    if (fault) {
      const what = `alerting ${[kind, called].filter((part) => part).join(', ')}`
      if (!said.has(what)) draft.skip(what, fault)
      said.add(what)
      return []
    }
    const recovers = isOn(settings['send-on-resolved'])
    const contacts = read(config).map((facts) => ({
      ...facts,
      name: [kind, called, facts.detail, recovers ? '' : 'down only'].filter((part) => part).join(', '),
      notify_on_recovery: recovers,
    }))
    return contacts.flatMap(({ detail: _, ...facts }) => draft.contact(facts) ?? [])
  }
  return {
    contactsOf(endpoint, name) {
      const notes: string[] = []
      const alerts = recordsOf(endpoint.alerts)
      return { contacts: alerts.flatMap((alert) => contactsOfAlert(endpoint, name, alert, notes)), notes }
    },
  }
}

/** By default, Gatus alerts at the third failure in a row. */
const DEFAULT_THRESHOLD = 3
const FIRST_FAILURE = 'alerted after several failures in a row: here the first failed check alerts'
const NO_REMINDERS = 'repeated its alerts while it was down: here one alert is sent when it goes down'

/** Merges a provider's settings with its overrides for the endpoint's group, then with those of the alert. */
function configFor(provider: Fields, endpoint: Fields, alert: Fields, name: string) {
  const group = textOf(endpoint.group)
  const byGroup = recordsOf(provider.overrides).find((override) => group && override.group === group)
  const own = isFields(alert['provider-override']) ? alert['provider-override'] : null
  const called = own ? name : byGroup ? group : ''
  return { config: { ...provider, ...byGroup, ...own }, called }
}

/** The reason why a provider cannot become a contact; null if it can. */
function faultOf(config: Fields): string | null {
  if (Object.values(config).some(holdsVariable)) return HOLDS_VARIABLE
  return isOwnTelegram(textOf(config['api-url'])) ? OWN_TELEGRAM : null
}

type Facts = { type: ContactType; config: Record<string, unknown>; detail: string }

const READERS: Record<string, (config: Fields) => Facts[]> = {
  email: (config) => {
    const listed = textOf(config.to)
      .split(',')
      .filter((address) => address.trim() !== '')
    // An empty list is refused as a missing address.
    const addresses = listed.length > 0 ? listed : ['']
    return addresses.map((address) => ({
      type: 'email',
      config: { email: address.trim() },
      detail: addresses.length > 1 ? address.trim() : '',
    }))
  },
  slack: (config) => [{ type: 'slack', config: { webhook_url: config['webhook-url'] }, detail: '' }],
  discord: (config) => [{ type: 'discord', config: { webhook_url: config['webhook-url'] }, detail: '' }],
  telegram: (config) => [
    { type: 'telegram', config: { bot_token: config.token, chat_id: config.id }, detail: '' },
  ],
  custom: (config) => [{ type: 'webhook', config: { url: config.url }, detail: '' }],
  teams: (config) => [{ type: 'teams', config: { webhook_url: config['webhook-url'] }, detail: '' }],
  'teams-workflows': (config) => [
    { type: 'teams', config: { webhook_url: config['webhook-url'] }, detail: '' },
  ],
  googlechat: (config) => [
    { type: 'googlechat', config: { webhook_url: config['webhook-url'] }, detail: '' },
  ],
  mattermost: (config) => [
    { type: 'mattermost', config: { webhook_url: config['webhook-url'] }, detail: '' },
  ],
  matrix: (config) => [
    {
      type: 'matrix',
      config: {
        homeserver_url: textOf(config['server-url'], 'https://matrix-client.matrix.org'),
        access_token: config['access-token'],
        room_id: config['internal-room-id'],
      },
      detail: '',
    },
  ],
  ntfy: ({ url, topic, token }) => [
    {
      type: 'ntfy',
      config: {
        topic_url: `${textOf(url, 'https://ntfy.sh').replace(/\/+$/, '')}/${textOf(topic)}`,
        token: textOf(token),
      },
      detail: '',
    },
  ],
  pagerduty: (config) => [
    { type: 'pagerduty', config: { routing_key: config['integration-key'] }, detail: '' },
  ],
  pushover: (config) => [
    {
      type: 'pushover',
      config: { app_token: config['application-token'], user_key: config['user-key'] },
      detail: '',
    },
  ],
  gotify: (config) => [
    { type: 'gotify', config: { server_url: config['server-url'], app_token: config.token }, detail: '' },
  ],
  twilio: ({ sid, token, from, to }) => [
    { type: 'sms', config: { account_sid: sid, auth_token: token, from, to }, detail: '' },
  ],
}
