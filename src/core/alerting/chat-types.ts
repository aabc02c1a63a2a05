import * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import { GOOGLECHAT_ADVICE, MATRIX_ADVICE, MATTERMOST_ADVICE, TEAMS_ADVICE } from './advice.ts'
import { entry, URL_INPUT, VERIFY_TLS_TEXT } from './contact-kind.ts'
import { plainText, ReceiverUrl, secretText, shown, VerifyTls, WorkflowUrl } from './contact-values.ts'

/** Contacts in the chats of teams, but the three that came first. */
export const CHAT_TYPES = {
  teams: entry({
    word: 'Microsoft Teams',
    wordInside: 'Microsoft Teams',
    sentence: phrase('A card in a channel or chat.'),
    icon: 'users',
    config: z.object({
      webhook_url: WorkflowUrl.describe('URL of a workflow.').register(shown, { as: 'host' }),
    }),
    texts: {
      webhook_url: {
        label: phrase('Workflow URL'),
        placeholder: 'https://….environment.api.powerplatform.com/…',
        hint: phrase(
          'In Teams: channel → ⋯ → Workflows → “Send webhook alerts to a channel”, then copy its URL.',
        ),
        input: URL_INPUT,
      },
    },
    advice: TEAMS_ADVICE,
    destination: 'webhook_url',
    importNames: { healthchecks: ['msteamsw'], uptimerobot: ['msteams', '20'] },
    example: {
      name: 'Operations channel',
      config: {
        webhook_url: 'https://prod-1.westus.logic.azure.com/workflows/1/triggers/manual/paths/invoke',
      },
    },
  }),
  matrix: entry({
    word: 'Matrix',
    wordInside: 'Matrix',
    sentence: phrase('A message to a room.'),
    icon: 'brackets',
    config: z.object({
      homeserver_url: ReceiverUrl.describe('URL of the homeserver.').register(shown, { as: 'host' }),
      access_token: secretText(/^[!-~]{1,1024}$/, phrase('must be an access token'), 1_024).describe(
        'Access token of the sender.',
      ),
      room_id: plainText(
        /^![!-~]{1,254}$/,
        phrase('must be a room ID such as !opaque:example.org, got {got}'),
      )
        .describe('ID of the room.')
        .register(shown, { as: 'whole' }),
      verify_tls: VerifyTls,
    }),
    texts: {
      homeserver_url: {
        label: phrase('Homeserver URL'),
        placeholder: 'https://matrix.example.org',
        input: URL_INPUT,
      },
      access_token: {
        label: phrase('Access token'),
        placeholder: 'syt_…',
        hint: phrase(
          'Of an account for alerts, which has joined the room. In Element: All settings → Help & About.',
        ),
      },
      room_id: {
        label: phrase('Room ID'),
        placeholder: '!opaque:example.org',
        hint: phrase('In Element: room settings → Advanced → Internal room ID.'),
      },
      verify_tls: VERIFY_TLS_TEXT,
    },
    advice: MATRIX_ADVICE,
    destination: 'room_id',
    importNames: { healthchecks: ['matrix'] },
    example: {
      name: 'Operations room',
      config: {
        homeserver_url: 'https://matrix.example.org',
        access_token: 'syt_dXBiZWF0_Example',
        room_id: '!opaque:example.org',
      },
    },
  }),
  googlechat: entry({
    word: 'Google Chat',
    wordInside: 'Google Chat',
    sentence: phrase('A thread per incident in a space.'),
    icon: 'message-square',
    config: z.object({
      webhook_url: ReceiverUrl.describe("URL of a space's webhook.").register(shown, { as: 'host' }),
    }),
    texts: {
      webhook_url: {
        label: phrase('Webhook URL'),
        placeholder: 'https://chat.googleapis.com/v1/spaces/…',
        hint: phrase('In Google Chat: space → Apps & integrations → Webhooks, then copy its URL.'),
        input: URL_INPUT,
      },
    },
    advice: GOOGLECHAT_ADVICE,
    destination: 'webhook_url',
    importNames: { healthchecks: ['googlechat'], uptimerobot: ['googlechat', '21'] },
    example: {
      name: 'Operations space',
      config: { webhook_url: 'https://chat.googleapis.com/v1/spaces/AAAA/messages?key=XXXX&token=XXXX' },
    },
  }),
  mattermost: entry({
    word: 'Mattermost',
    wordInside: 'Mattermost',
    sentence: phrase('A post in a channel.'),
    icon: 'messages-square',
    config: z.object({
      webhook_url: ReceiverUrl.describe('URL of an incoming webhook.').register(shown, { as: 'host' }),
      verify_tls: VerifyTls,
    }),
    texts: {
      webhook_url: {
        label: phrase('Webhook URL'),
        placeholder: 'https://mattermost.example.com/hooks/…',
        hint: phrase('In Mattermost: Integrations → Incoming webhooks → Add, then copy its URL.'),
        input: URL_INPUT,
      },
      verify_tls: VERIFY_TLS_TEXT,
    },
    advice: MATTERMOST_ADVICE,
    destination: 'webhook_url',
    importNames: { healthchecks: ['mattermost'], uptimerobot: ['mattermost', '24'] },
    example: {
      name: 'Town square',
      config: { webhook_url: 'https://mattermost.example.com/hooks/xxxxxxxxxxxxxxxxxxxxxxxxxx' },
    },
  }),
} as const
