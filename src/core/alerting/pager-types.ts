import * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import { GOTIFY_ADVICE, NTFY_ADVICE, PAGERDUTY_ADVICE, PUSHOVER_ADVICE, SMS_ADVICE } from './advice.ts'
import { entry, URL_INPUT, VERIFY_TLS_TEXT } from './contact-kind.ts'
import {
  PhoneNumber,
  plainText,
  ReceiverUrl,
  secretText,
  shown,
  TopicUrl,
  VerifyTls,
} from './contact-values.ts'

/** Contacts that make a phone or pager ring. */
export const PAGER_TYPES = {
  ntfy: entry({
    word: 'ntfy',
    wordInside: 'ntfy',
    sentence: phrase('A push notification through ntfy.sh or a server of yours.'),
    icon: 'bell-ring',
    config: z.object({
      topic_url: TopicUrl.describe('URL of the topic.').register(shown, { as: 'host' }),
      token: secretText(
        /^(tk_[A-Za-z0-9]{1,64})?$/,
        phrase('must be an access token, such as tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'),
      )
        .describe('Access token, if the topic needs one.')
        .default(''),
      verify_tls: VerifyTls,
    }),
    texts: {
      topic_url: {
        label: phrase('Topic URL'),
        placeholder: 'https://ntfy.sh/my-alerts-4f7a',
        hint: phrase(
          'Anyone who knows the name of an unprotected topic can read it: choose one that no one can guess.',
        ),
        input: URL_INPUT,
      },
      token: {
        label: phrase('Access token'),
        placeholder: 'tk_…',
        hint: phrase('Only for protected topics. In ntfy: Account → Access tokens.'),
      },
      verify_tls: VERIFY_TLS_TEXT,
    },
    advice: NTFY_ADVICE,
    destination: 'topic_url',
    importNames: { healthchecks: ['ntfy'] },
    example: { name: 'Phone', config: { topic_url: 'https://ntfy.sh/my-alerts-4f7a', token: '' } },
  }),
  pagerduty: entry({
    word: 'PagerDuty',
    wordInside: 'PagerDuty',
    sentence: phrase('An incident of a service, resolved by itself.'),
    icon: 'siren',
    config: z.object({
      routing_key: secretText(
        /^[A-Za-z0-9]{32}$/,
        phrase('must be an integration key of 32 letters and digits'),
      ).describe('Integration key of a service.'),
      region: z
        .enum(['us', 'eu'])
        .describe('Service region of the account.')
        .default('us')
        .register(shown, { as: 'whole' }),
    }),
    texts: {
      routing_key: {
        label: phrase('Integration key'),
        placeholder: 'R0…',
        hint: phrase('In PagerDuty: your service → Integrations → Add integration → Events API V2.'),
      },
      region: {
        label: phrase('Service region'),
        placeholder: 'us',
        hint: phrase('Accounts in the EU have .eu. in the address of PagerDuty.'),
      },
    },
    isForPrograms: true,
    takesAcknowledgements: true,
    advice: PAGERDUTY_ADVICE,
    destination: 'routing_key',
    importNames: { healthchecks: ['pd'], uptimerobot: ['pagerduty', '16'] },
    example: { name: 'Primary', config: { routing_key: 'R0123456789abcdefghijklmnopqrstu', region: 'us' } },
  }),
  pushover: entry({
    word: 'Pushover',
    wordInside: 'Pushover',
    sentence: phrase('A push notification that repeats until you see it.'),
    icon: 'bell-dot',
    config: z.object({
      app_token: secretText(
        /^[A-Za-z0-9]{30}$/,
        phrase('must be an API token of 30 letters and digits'),
      ).describe('API token of an application.'),
      user_key: secretText(/^[A-Za-z0-9]{30}$/, phrase('must be a key of 30 letters and digits')).describe(
        'Key of a user or group.',
      ),
    }),
    texts: {
      app_token: {
        label: phrase('API token'),
        placeholder: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
        hint: phrase('On pushover.net: Create an application/API token.'),
      },
      user_key: {
        label: phrase('User or group key'),
        placeholder: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
        hint: phrase('On the first page of pushover.net after signing in.'),
      },
    },
    takesAcknowledgements: true,
    advice: PUSHOVER_ADVICE,
    destination: 'user_key',
    importNames: { healthchecks: ['po'] },
    example: {
      name: 'Phone',
      config: { app_token: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi', user_key: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG' },
    },
  }),
  gotify: entry({
    word: 'Gotify',
    wordInside: 'Gotify',
    sentence: phrase('A push notification through a server of yours.'),
    icon: 'radio',
    config: z.object({
      server_url: ReceiverUrl.describe('URL of the server.').register(shown, { as: 'host' }),
      app_token: secretText(
        /^[A-Za-z0-9._-]{1,64}$/,
        phrase('must be the token of an application, such as AWoOoMvGWlDY7kk'),
      ).describe('Token of an application.'),
      verify_tls: VerifyTls,
    }),
    texts: {
      server_url: {
        label: phrase('Server URL'),
        placeholder: 'https://gotify.example.com',
        input: URL_INPUT,
      },
      app_token: {
        label: phrase('Application token'),
        placeholder: 'AWoOoMvGWlDY7kk',
        hint: phrase('In Gotify: Apps → Create application.'),
      },
      verify_tls: VERIFY_TLS_TEXT,
    },
    advice: GOTIFY_ADVICE,
    destination: 'server_url',
    importNames: { healthchecks: ['gotify'] },
    example: {
      name: 'Phone',
      config: { server_url: 'https://gotify.example.com', app_token: 'AWoOoMvGWlDY7kk' },
    },
  }),
  sms: entry({
    word: 'SMS',
    wordInside: 'SMS',
    sentence: phrase('A text message through your Twilio account.'),
    icon: 'message-square-text',
    config: z.object({
      account_sid: secretText(
        /^AC[0-9a-f]{32}$/,
        phrase('must be an account SID: AC and 32 hexadecimal digits'),
      ).describe('Account SID of Twilio.'),
      auth_token: secretText(
        /^[A-Za-z0-9]{32}$/,
        phrase('must be an auth token of 32 letters and digits'),
      ).describe('Auth token of the account.'),
      from: plainText(
        /^(\+[1-9]\d{6,14}|\d{3,8}|MG[0-9a-f]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/,
        phrase(
          'must be a number such as +15017122661, a sender ID of at most 11 letters and digits, or a messaging service (MG…), got {got}',
        ),
      )
        .describe('Number, sender ID or messaging service (`MG…`) that the messages come from.')
        .register(shown, { as: 'whole' }),
      to: PhoneNumber.describe('Number to alert, with its country.').register(shown, { as: 'whole' }),
    }),
    texts: {
      account_sid: {
        label: phrase('Account SID'),
        placeholder: 'AC…',
        hint: phrase('Twilio Console → Account info. Twilio charges for each message.'),
      },
      auth_token: { label: phrase('Auth token'), placeholder: '0123456789abcdef…' },
      from: {
        label: phrase('From'),
        placeholder: '+15017122661',
        hint: phrase('A number of your account, a sender ID, or a messaging service (MG…).'),
      },
      to: { label: phrase('To'), placeholder: '+15558675310' },
    },
    advice: SMS_ADVICE,
    destination: 'to',
    importNames: {},
    example: {
      name: 'Night shift',
      config: {
        account_sid: `AC${'0'.repeat(32)}`,
        auth_token: '0123456789abcdef0123456789abcdef',
        from: '+15017122661',
        to: '+15558675310',
      },
    },
  }),
} as const
