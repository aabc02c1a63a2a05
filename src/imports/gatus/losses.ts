import { type Said, said } from '../../core/language/said.ts'
import { type Fields, isOn, textOf } from '../fields.ts'
import { anotherJson } from '../reasons.ts'

/** Describes an effect of a setting of a provider that its contact does not have; null if it had none. */
type Loss = (config: Fields) => Said | null

const OWN_TITLE: Loss = ({ title }) =>
  textOf(title) ? said('had a title of its own: here every alert looks the same') : null
const OWN_CLIENT: Loss = ({ client }) =>
  client === undefined
    ? null
    : said('was sent with settings of its own for the connection (client): here as every alert is')
const has =
  (key: string, loss: Said): Loss =>
  (config) =>
    textOf(config[key]) || isOn(config[key]) ? loss : null
const OWN_PRIORITY = has('priority', said('had a priority of its own: here the kind of alert decides'))

/** Every setting of each provider that has no place here (alerting/provider of Gatus 5). */
export const PROVIDER_LOSSES: Record<string, Loss[]> = {
  email: [
    () => said('its mail server is not imported: e-mails go through SMTP_URL of this service'),
    OWN_CLIENT,
  ],
  slack: [OWN_TITLE],
  discord: [
    OWN_TITLE,
    has('message-content', said('began its messages with a mention or text of its own: here they have none')),
  ],
  telegram: [OWN_CLIENT],
  custom: [
    () => anotherJson('Gatus'),
    ({ method }) =>
      textOf(method).toUpperCase() === 'POST'
        ? null
        : said('was sent by {method}: here by POST', { method: textOf(method, 'GET') }),
    has('body', said('had a body of its own: here it is the JSON of this service')),
    ({ headers }) => (headers === undefined ? null : said('is sent without its headers')),
    ({ placeholders }) => (placeholders === undefined ? null : said('had words of its own for placeholders')),
    OWN_CLIENT,
  ],
  teams: [OWN_TITLE, OWN_CLIENT],
  'teams-workflows': [OWN_TITLE],
  googlechat: [OWN_CLIENT],
  mattermost: [
    has('channel', said('posted to a channel that it named: here to the one of its webhook')),
    OWN_CLIENT,
  ],
  matrix: [],
  ntfy: [
    OWN_PRIORITY,
    has('email', said('sent an e-mail as well: here a contact of type email does')),
    has('click', said('opened an address of its own: here the incident')),
    has('disable-firebase', said('kept away from Firebase: here that is a setting of its server')),
    has('disable-cache', said('was not kept by its server: here it is')),
  ],
  pagerduty: [],
  pushover: [
    OWN_TITLE,
    OWN_PRIORITY,
    has(
      'resolved-priority',
      said('had a priority of its own for recoveries: here the kind of alert decides'),
    ),
    has('sound', said('had sounds of its own: here those of the app are used')),
    has('ttl', said('vanished after a time: here it stays')),
    has('device', said('went to one device: here it goes to all of the user')),
  ],
  gotify: [OWN_TITLE, OWN_PRIORITY],
  twilio: [
    has('text-twilio-triggered', said('had a text of its own for outages: here every alert looks the same')),
    has(
      'text-twilio-resolved',
      said('had a text of its own for recoveries: here every alert looks the same'),
    ),
  ],
}

/** Every setting of an alert that has no place here. */
const ALERT_LOSSES: Loss[] = [
  has(
    'description',
    said('had a text of its own in its alerts (description): here that is the note of the monitor'),
  ),
]

export function lossesOfProvider(kind: string, config: Fields): Said[] {
  return lossesIn(PROVIDER_LOSSES[kind] ?? [], config)
}

export function lossesOfAlert(alert: Fields): Said[] {
  return lossesIn(ALERT_LOSSES, alert)
}

function lossesIn(losses: Loss[], config: Fields): Said[] {
  return losses.flatMap((loss) => loss(config) ?? [])
}
