import type { ContactType } from '../../core/alerting/contact.ts'
import { type Said, said } from '../../core/language/said.ts'
import type { Draft } from '../draft.ts'
import { entryOf, type Fields, isFields, isOn, recordsOf, textOf } from '../fields.ts'
import type { OldPatience } from '../options/patience.ts'
import { isOwnTelegram, OWN_TELEGRAM } from '../reasons.ts'
import { lossesOfAlert, lossesOfProvider } from './losses.ts'
import { patienceThere } from './patience.ts'
import { HOLDS_VARIABLE, holdsVariable } from './variables.ts'

export type Alerting = {
  /**
   * The contacts of an endpoint's alerts, and when those alerted. A contact is drafted when the first endpoint uses it.
   */
  contactsOf(
    endpoint: Fields,
    name: string,
    intervalSeconds: number,
  ): { contacts: string[]; notes: Said[]; patience: OldPatience }
}

/** Reads the section `alerting` of a configuration. */
export function readAlerting(draft: Draft, value: unknown): Alerting {
  const providers = new Map(
    Object.entries(isFields(value) ? value : {}).flatMap(([kind, provider]) =>
      isFields(provider) ? [[kind, provider] as const] : [],
    ),
  )
  for (const kind of providers.keys()) {
    if (!entryOf(GATUS_READERS, kind))
      draft.skip(alertingOf(kind), said('there is no contact of the kind {kind}', { kind }))
  }
  const told = new Set<string>()

  function contactsOfAlert(
    endpoint: Fields,
    name: string,
    alert: Fields,
    { notes, alerts }: { notes: Said[]; alerts: Fields[] },
  ): string[] {
    const kind = textOf(alert.type)
    const provider = providers.get(kind)
    const read = entryOf(GATUS_READERS, kind)
    const settings = { ...(isFields(provider?.['default-alert']) && provider['default-alert']), ...alert }
    if (!isOn(settings.enabled, true) || (provider && !read)) return []
    if (!provider || !read) {
      notes.push(said('uses the alerting {kind}, which the configuration does not have', { kind }))
      return []
    }
    notes.push(...lossesOfAlert(settings))
    alerts.push(settings)
    const { config, called, isOwn } = configFor(provider, endpoint, alert, name)
    const fault = faultOf(config)
    if (fault) {
      // Settings of one endpoint are told with its monitor, which is created all the same.
      if (isOwn) notes.push(fault.ofThem(kind))
      else skipOnce([kind, called].filter((part) => part).join(', '), fault.ofIt)
      return []
    }
    const recovers = isOn(settings['send-on-resolved'])
    const contacts = read(config).map((facts) => ({
      ...facts,
      name: [kind, called, facts.detail, recovers ? '' : 'down only'].filter((part) => part).join(', '),
      notify_on_recovery: recovers,
    }))
    const drafted = contacts.flatMap(({ detail: _, ...facts }) => draft.contact(facts) ?? [])
    for (const contact of drafted)
      for (const loss of lossesOfProvider(kind, config)) draft.note(contact, loss)
    return drafted
  }

  function skipOnce(provider: string, fault: Said): void {
    if (!told.has(provider)) draft.skip(alertingOf(provider), fault)
    told.add(provider)
  }

  return {
    contactsOf(endpoint, name, intervalSeconds) {
      const found = { notes: [] as Said[], alerts: [] as Fields[] }
      const contacts = recordsOf(endpoint.alerts).flatMap((alert) =>
        contactsOfAlert(endpoint, name, alert, found),
      )
      const patience = patienceThere(found.alerts, endpoint, intervalSeconds, found.notes)
      return { contacts, notes: found.notes, patience }
    },
  }
}

/** Merges a provider's settings with its overrides for the endpoint's group, then with those of the alert. */
function configFor(provider: Fields, endpoint: Fields, alert: Fields, name: string) {
  const { overrides, 'default-alert': _, ...common } = provider
  const group = textOf(endpoint.group)
  const byGroup = recordsOf(overrides).find((override) => group && override.group === group)
  const own = isFields(alert['provider-override']) ? alert['provider-override'] : null
  const called = own ? name : byGroup ? group : ''
  return { config: { ...common, ...byGroup, ...own }, called, isOwn: own !== null }
}

/** A reason as it is said of a provider, and of the settings of an endpoint. */
type Fault = { ofIt: Said; ofThem: (kind: string) => Said }

function alertingOf(name: string): Said {
  return said('alerting {name}', { name })
}

/** The reason why a provider cannot become a contact; null if it can. */
function faultOf(config: Fields): Fault | null {
  if (holdsVariable(config)) return { ofIt: HOLDS_VARIABLE, ofThem: theyHoldVariable }
  if (PLACEHOLDER.test(textOf(config.url))) return { ofIt: HOLDS_PLACEHOLDERS, ofThem: theyHoldPlaceholders }
  return isOwnTelegram(textOf(config['api-url'])) ? { ofIt: OWN_TELEGRAM, ofThem: theyUseOwnTelegram } : null
}

/** Placeholders of `custom`, which Gatus fills in at each alert. */
const PLACEHOLDER = /\[[A-Z_]+\]/
const HOLDS_PLACEHOLDERS = said(
  'holds placeholders in its URL, such as [ENDPOINT_NAME]: here nothing replaces them',
)

function theyHoldPlaceholders(kind: string): Said {
  return said(
    'is not alerted by {kind}: its own settings for that hold placeholders in its URL, such as [ENDPOINT_NAME]: here nothing replaces them',
    { kind },
  )
}

function theyHoldVariable(kind: string): Said {
  return said(
    'is not alerted by {kind}: its own settings for that hold a variable of the environment of Gatus: fill it in first, such as by envsubst < config.yaml',
    { kind },
  )
}

function theyUseOwnTelegram(kind: string): Said {
  return said(
    'is not alerted by {kind}: its own settings for that name a Telegram server of its own: contacts here use api.telegram.org',
    { kind },
  )
}

type Facts = { type: ContactType; config: Record<string, unknown>; detail: string }

/** The providers that come over, by their names there. */
export const GATUS_READERS: Record<string, (config: Fields) => Facts[]> = {
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
    {
      type: 'telegram',
      config: { bot_token: config.token, chat_id: config.id, message_thread_id: textOf(config['topic-id']) },
      detail: '',
    },
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
