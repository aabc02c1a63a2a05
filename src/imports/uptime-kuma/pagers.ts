import { said } from '../../core/language/said.ts'
import { type Fields, isOn, textOf } from '../fields.ts'
import { type ChannelReader, CUSTOM_TEXT } from './chats.ts'

const OWN_SOUND = said('had sounds of its own: here those of the app are used')
const EVENTS_URL = /^https:\/\/events\.(eu\.)?pagerduty\.com\/v2\/enqueue\/?$/

/** Reads the settings of a notification to a phone or pager. */
export const PAGER_READERS: Record<string, ChannelReader> = {
  ntfy(config, name) {
    const method = textOf(config.ntfyAuthenticationMethod)
    if (method === 'usernamePassword') {
      const fault = said('signs in with a name and password: contacts here take an access token')
      return { contacts: [], fault, notes: [] }
    }
    const server = textOf(config.ntfyserverurl, 'https://ntfy.sh').replace(/\/+$/, '')
    const settings = {
      topic_url: `${server}/${textOf(config.ntfytopic)}`,
      ...(method === 'accessToken' && { token: textOf(config.ntfyaccesstoken) }),
    }
    const notes = isOn(config.ntfyUseTemplate) || textOf(config.ntfyIcon) ? [CUSTOM_TEXT] : []
    if (textOf(config.ntfyCall)) notes.push(said('called a phone: here it sends a notification'))
    return { contacts: [{ name, type: 'ntfy', config: settings }], notes }
  },
  PagerDuty(config, name) {
    const url = textOf(config.pagerdutyIntegrationUrl, 'https://events.pagerduty.com/v2/enqueue')
    const place = EVENTS_URL.exec(url)
    if (!place) {
      const fault = said(
        'sends to an address of its own: contacts here send to PagerDuty, or to PAGERDUTY_API_URL',
      )
      return { contacts: [], fault, notes: [] }
    }
    const settings = { routing_key: textOf(config.pagerdutyIntegrationKey), region: place[1] ? 'eu' : 'us' }
    const ends = textOf(config.pagerdutyAutoResolve)
    const notes =
      ends === 'acknowledge' ? [said('acknowledged an incident at its end: here nothing is sent then')] : []
    const notify_on_recovery = ends === 'resolve'
    return { contacts: [{ name, type: 'pagerduty', config: settings, notify_on_recovery }], notes }
  },
  pushover(config, name) {
    const settings = { app_token: textOf(config.pushoverapptoken), user_key: textOf(config.pushoveruserkey) }
    const notes = textOf(config.pushoverdevice)
      ? [said('went to one device: here it goes to all of the user')]
      : []
    if (hasSounds(config)) notes.push(OWN_SOUND)
    return { contacts: [{ name, type: 'pushover', config: settings }], notes }
  },
  gotify(config, name) {
    const settings = {
      server_url: textOf(config.gotifyserverurl),
      app_token: textOf(config.gotifyapplicationToken),
    }
    return { contacts: [{ name, type: 'gotify', config: settings }], notes: [] }
  },
  twilio(config, name) {
    if (textOf(config.twilioApiKey)) {
      const fault = said('signs in with an API key: contacts here take the auth token of the account')
      return { contacts: [], fault, notes: [] }
    }
    const settings = {
      account_sid: textOf(config.twilioAccountSID),
      auth_token: textOf(config.twilioAuthToken),
      from: textOf(config.twilioMessagingServiceSID, config.twilioFromNumber),
      to: textOf(config.twilioToNumber),
    }
    return { contacts: [{ name, type: 'sms', config: settings }], notes: [] }
  },
}

/** Whether other sounds than the one that Uptime Kuma begins with were chosen. */
function hasSounds({ pushoversounds, pushoversounds_up }: Fields): boolean {
  return [pushoversounds, pushoversounds_up].some((sound) => !['', 'pushover'].includes(textOf(sound)))
}
