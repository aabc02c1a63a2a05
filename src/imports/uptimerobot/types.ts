import { type Said, said } from '../../core/language/said.ts'
import { contactTypesOf, monitorTypesOf } from '../counterparts.ts'
import { entryOf } from '../fields.ts'

/** Monitor types by their names in UptimeRobot's API v3. */
export const ROBOT_TYPES = monitorTypesOf('uptimerobot')

/** Reasons to skip the other types. */
export const ROBOT_REASONS: Record<string, Said> = {
  API: said('its checks of JSON are not read: an http monitor with assertions comes nearest'),
}

/** Types of API v3 by their number in API v2 and their word in the CSV. */
const TYPE_WORDS: Record<string, string> = {
  '1': 'HTTP',
  '2': 'KEYWORD',
  '3': 'PING',
  '4': 'PORT',
  '5': 'HEARTBEAT',
  HTTPS: 'HTTP',
  'HTTP(S)': 'HTTP',
  WEBSITE: 'HTTP',
  'CRON JOB': 'HEARTBEAT',
}

export function robotType(text: string): string {
  const word = text.trim().toUpperCase()
  return entryOf(TYPE_WORDS, word) ?? word
}

/** Ports by `sub_type` of a port monitor (API v2). */
export const SUB_TYPE_PORTS: Record<string, number> = {
  '1': 80,
  '2': 443,
  '3': 21,
  '4': 25,
  '5': 110,
  '6': 143,
}

export const METHODS: Record<string, string> = {
  '1': 'HEAD',
  '2': 'GET',
  '3': 'POST',
  '4': 'PUT',
  '5': 'PATCH',
  '6': 'DELETE',
  '7': 'OPTIONS',
}

/** Contact types by their word in API v3 and their number in v2. */
export const CONTACT_KINDS = contactTypesOf('uptimerobot')

const OWN_BOT = said(
  'gets its alerts from the bot of UptimeRobot: create your own bot, and add it as a contact of type telegram',
)
const OWN_APPLICATION = said(
  'gets its alerts from the application of UptimeRobot: create your own, and add it as a contact of type pushover',
)

/** Reasons to skip kinds that UptimeRobot sends with keys of its own. */
export const SENT_AS_THEIRS: Record<string, Said> = {
  '18': OWN_BOT,
  telegram: OWN_BOT,
  '9': OWN_APPLICATION,
  pushover: OWN_APPLICATION,
}

/** Names of the unsupported kinds by their number in v2, for reasons. */
export const OTHER_KINDS: Record<string, string> = {
  '1': 'e-mail to SMS',
  '6': 'Pushbullet',
  '7': 'Zapier',
  '8': 'SMS',
  '9': 'Pushover',
  '12': 'app for iOS',
  '13': 'app for Android',
  '14': 'voice call',
  '15': 'Splunk',
  '17': 'Opsgenie',
  '18': 'Telegram',
}
