import { phrase } from '../language/phrase.ts'

/**
 * An answer of a vendor, and what to do about it. `status`: null fits any; `says`: a part of the detail. Of the answers of a
 * type, the first that fits counts; those that pass by themselves have none. Vendors word answers as they like, and one that
 * fits nothing here is shown in their words.
 */
export type Advice = { status: number | null; says: RegExp | null; words: string }

const all = (...statuses: number[]) => statuses
const on = (statuses: number[] | null, says: RegExp | null, words: string): Advice[] =>
  (statuses ?? [null]).map((status) => ({ status, says, words }))

const NEW_WEBHOOK_AT_SLACK = phrase(
  'This Slack webhook was removed, or its app was: make a new webhook and save its URL here.',
)
const NO_PERMISSION = phrase(
  'The server refuses the access token: make a new one that may write to this topic, and save it here.',
)
const NO_MATRIX_TOKEN = phrase(
  'The access token of the Matrix account is no longer valid: sign the account in again and save its new token here.',
)
const TWILIO_SIGNS_OUT = phrase(
  'Twilio refuses the account SID or the auth token: save those of the Twilio Console here.',
)

export const EMAIL_ADVICE: Advice[] = [
  ...on(
    all(550, 551, 553, 554, 511),
    null,
    phrase(
      'The mail server refuses this address: check how it is spelled, and whether the mailbox still exists.',
    ),
  ),
  ...on(all(552), null, phrase('The mailbox is full, or the mail was too large for it: make room there.')),
  ...on(
    all(530, 535, 538),
    null,
    phrase(
      'The mail server refuses to take mail from Upbeat: an operator checks the mail settings of the service.',
    ),
  ),
]

export const SLACK_ADVICE: Advice[] = [
  ...on(
    null,
    /channel_is_archived|is_archived/,
    phrase('The Slack channel is archived: unarchive it, or make a webhook for another channel.'),
  ),
  ...on(
    null,
    /channel_not_found/,
    phrase('The Slack channel was deleted: make a webhook for another channel and save its URL here.'),
  ),
  ...on(
    null,
    /action_prohibited|posting_to_general_channel_denied|team_disabled|user_not_found/,
    phrase(
      'A Slack administrator does not allow this webhook to post there: ask them, or choose another channel.',
    ),
  ),
  ...on(
    null,
    /no_service|no_team|no_active_hooks|invalid_token|token_revoked|account_inactive/,
    NEW_WEBHOOK_AT_SLACK,
  ),
  ...on(all(404, 410), null, NEW_WEBHOOK_AT_SLACK),
]

export const DISCORD_ADVICE: Advice[] = [
  ...on(
    null,
    /10015|Unknown Webhook/,
    phrase('The Discord webhook was deleted: make a new one for the channel and save its URL here.'),
  ),
  ...on(
    all(401, 403, 404),
    null,
    phrase(
      'Discord no longer takes messages at this URL: make a new webhook for the channel and save its URL here.',
    ),
  ),
]

export const TELEGRAM_ADVICE: Advice[] = [
  ...on(
    null,
    /blocked by the user|user is deactivated|can't initiate conversation/i,
    phrase(
      'The person has blocked the Telegram bot, or never wrote to it: they open the chat and press Start.',
    ),
  ),
  ...on(
    null,
    /kicked|not a member|chat was deleted|have no rights|not enough rights|need administrator rights|CHAT_WRITE_FORBIDDEN/i,
    phrase(
      'The Telegram bot may not write to this chat: add it to the chat again, and let it send messages.',
    ),
  ),
  ...on(
    null,
    /TOPIC_CLOSED|TOPIC_DELETED/,
    phrase('The topic of this Telegram chat is closed: open it again, or use another chat.'),
  ),
  ...on(
    null,
    /chat not found|PEER_ID_INVALID/i,
    phrase(
      'Telegram does not know this chat, or the bot is not in it: add the bot there and check the chat ID.',
    ),
  ),
  ...on(
    all(401, 404),
    null,
    phrase('Telegram does not know this bot token: get the token from @BotFather and save it here.'),
  ),
]

export const WEBHOOK_ADVICE: Advice[] = [
  ...on(
    all(301, 308),
    null,
    phrase('The receiver has moved: save its new URL here. Redirects are not followed.'),
  ),
  ...on(
    all(302, 303, 307),
    null,
    phrase(
      'The receiver redirects to another address, which is not followed: save the URL that answers itself.',
    ),
  ),
  ...on(
    all(401, 403),
    null,
    phrase('The receiver refuses the request: check the URL, and what it asks of callers.'),
  ),
  ...on(
    all(404, 410),
    null,
    phrase('Nothing takes alerts at this URL any more: save the right one, or delete the contact.'),
  ),
  ...on(all(405), null, phrase('The receiver does not take POST requests at this URL: check the URL.')),
  ...on(all(413), null, phrase('The receiver finds the request too large: raise its limit.')),
]

export const WEBPUSH_ADVICE: Advice[] = [
  ...on(
    all(401, 403),
    null,
    phrase(
      'The browser’s push service no longer knows this installation: alert this browser again, on Contacts.',
    ),
  ),
  ...on(
    all(404, 410),
    null,
    phrase('This browser takes no more alerts: open Contacts there and choose “Alert this browser” again.'),
  ),
]

export const NTFY_ADVICE: Advice[] = [
  ...on(
    null,
    /42908|42909|quota|daily/i,
    phrase('The topic has had its messages of the day: wait, or use an account or server that allows more.'),
  ),
  ...on(all(401, 403), null, NO_PERMISSION),
  ...on(all(404), null, phrase('No ntfy server answers at this URL: check the topic URL.')),
  ...on(all(507), null, phrase('No device is subscribed to this topic: subscribe to it in the app once.')),
]

export const PAGERDUTY_ADVICE: Advice[] = [
  ...on(
    null,
    /routing_key|routing key/i,
    phrase(
      'PagerDuty does not know this integration key: copy that of Events API V2, and check the service region.',
    ),
  ),
  ...on(
    all(403, 404),
    null,
    phrase(
      'The PagerDuty service is disabled or deleted: enable it, or save the key of another service here.',
    ),
  ),
]

export const PUSHOVER_ADVICE: Advice[] = [
  ...on(
    null,
    /user (identifier|key)|user is not|no active devices/i,
    phrase(
      'Pushover does not know this user or group, or it has no active device: check the key, and sign in there.',
    ),
  ),
  ...on(
    null,
    /application token/i,
    phrase('Pushover does not know this application: save the API token of your application here.'),
  ),
  ...on(
    null,
    /over its quota|(monthly|message) limit/i,
    phrase('The Pushover application has sent its messages of the month: raise its limit at pushover.net.'),
  ),
]

export const GOTIFY_ADVICE: Advice[] = [
  ...on(
    all(401, 403),
    null,
    phrase('Gotify does not know this application: create one and save its token here.'),
  ),
  ...on(all(404), null, phrase('No Gotify server answers at this URL: check the server URL.')),
]

export const SMS_ADVICE: Advice[] = [
  ...on(
    null,
    /\(21610\)/,
    phrase(
      'The phone has unsubscribed from this sender: it sends START to the number to get messages again.',
    ),
  ),
  ...on(
    null,
    /\((21211|21214|21217|21614|21612)\)/,
    phrase('Twilio cannot send text messages to this number: check it, with its country.'),
  ),
  ...on(
    null,
    /\(21408\)/,
    phrase('Twilio may not send to this country: allow it in the Twilio Console, under geo permissions.'),
  ),
  ...on(
    null,
    /\(21608\)/,
    phrase('The Twilio account is a trial: verify the number there, or upgrade the account.'),
  ),
  ...on(
    null,
    /\((21212|21603|21606|21659|21660|21703|21705)\)/,
    phrase(
      'Twilio does not let this account send from this sender: check “From” here and the number in the Twilio Console.',
    ),
  ),
  ...on(
    null,
    /\((20005|20006|30002|30001|10001)\)/,
    phrase('The Twilio account is suspended or closed: see the Twilio Console.'),
  ),
  ...on(null, /\((20003|20404)\)/, TWILIO_SIGNS_OUT),
  ...on(all(401, 404), null, TWILIO_SIGNS_OUT),
]

export const TEAMS_ADVICE: Advice[] = [
  ...on(
    null,
    /disabled|turned off|suspended|WorkflowTriggerIsNotEnabled|not enabled/i,
    phrase('The workflow is turned off: turn it on in Power Automate.'),
  ),
  ...on(
    all(401, 403),
    null,
    phrase(
      'The workflow refuses the request: let anyone trigger it, or copy its URL again, with its signature.',
    ),
  ),
  ...on(
    all(400, 404, 410),
    /deleted|not found|could not be found|retired|connector|WorkflowNotFound/i,
    phrase(
      'The workflow was deleted, or its connector was retired: make a new workflow and save its URL here.',
    ),
  ),
  ...on(
    all(404, 410),
    null,
    phrase(
      'The workflow was deleted, or its connector was retired: make a new workflow and save its URL here.',
    ),
  ),
]

export const MATRIX_ADVICE: Advice[] = [
  ...on(
    null,
    /upgraded to/,
    phrase('The Matrix room was upgraded: invite the account to the new room, and save its ID here.'),
  ),
  ...on(null, /M_UNKNOWN_TOKEN|M_MISSING_TOKEN|M_USER_DEACTIVATED/, NO_MATRIX_TOKEN),
  ...on(
    null,
    /M_FORBIDDEN|M_NOT_JOINED/,
    phrase(
      'The Matrix account may not write to this room: invite it, let it join, and let it send messages.',
    ),
  ),
  ...on(
    all(404),
    null,
    phrase('No Matrix homeserver answers at this URL, or it does not know the room: check both.'),
  ),
]

export const GOOGLECHAT_ADVICE: Advice[] = [
  ...on(
    all(400, 401, 403),
    /API key|token|UNAUTHENTICATED|PERMISSION_DENIED/i,
    phrase(
      'The Google Chat webhook was removed, or apps may no longer post to the space: make a new webhook there.',
    ),
  ),
  ...on(
    all(404, 410),
    null,
    phrase(
      'The space of Google Chat, or its webhook, was deleted: make a new webhook and save its URL here.',
    ),
  ),
]

export const MATTERMOST_ADVICE: Advice[] = [
  ...on(
    null,
    /disabled/i,
    phrase(
      'Incoming webhooks are turned off in Mattermost: an administrator enables them in the System Console.',
    ),
  ),
  ...on(
    null,
    /archived|deleted_channel|channel.*(deleted|locked)/i,
    phrase(
      'The Mattermost channel is archived or locked: unarchive it, or make a webhook for another channel.',
    ),
  ),
  ...on(
    all(400, 401, 403, 404),
    /webhook/i,
    phrase('The Mattermost webhook was deleted: make a new one and save its URL here.'),
  ),
  ...on(all(404), null, phrase('The Mattermost webhook was deleted: make a new one and save its URL here.')),
]
