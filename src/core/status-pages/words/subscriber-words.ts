import type { Translator } from '../../language/translate.ts'

/** Texts for those who subscribe to a page: of its forms, and of the messages to them. */
export function subscriberWords(t: Translator['t']) {
  return {
    subscribe: {
      title: t('Get updates'),
      intro: t('You get a message whenever something is posted here.'),
      email: t('E-mail address'),
      byMail: t('Subscribe by e-mail'),
      webhook: t('Webhook address'),
      webhookHint: t('Each update is sent there as JSON by POST.'),
      byWebhook: t('Subscribe by webhook'),
      scope: t('Which updates?'),
      whole: t('Everything on this page'),
      chosen: t('Only what I choose'),
      sentTitle: t('Check your inbox'),
      sent: t(
        'If the address can subscribe, a message with a link is on its way. You get updates once you have confirmed it.',
      ),
      webhookSentTitle: t('Confirm the webhook'),
      webhookSent: t(
        'If the address can subscribe, it has been sent a link. It gets updates once the link has been confirmed.',
      ),
      tooManyTitle: t('Too many attempts'),
      tooMany: (wait: string) =>
        t('That was too often for now. Try again in {wait}, or follow this page by its feeds.', { wait }),
    },
    subscription: {
      confirmTitle: t('Confirm your subscription'),
      confirm: (address: string, page: string) =>
        t('Updates of {page} will be sent to {address}.', { address, page }),
      confirmButton: t('Yes, subscribe'),
      manageTitle: t('Your subscription'),
      manage: (address: string) => t('Updates are sent to {address}.', { address }),
      change: t('Save'),
      changed: t('Your choice is saved.'),
      endTitle: t('Unsubscribe?'),
      end: (address: string) => t('{address} will get no more updates.', { address }),
      endButton: t('Unsubscribe'),
      confirmedTitle: t('You are subscribed'),
      confirmed: (address: string) => t('Updates are sent to {address} from now on.', { address }),
      endedTitle: t('You are unsubscribed'),
      ended: (address: string) => t('{address} gets no more updates.', { address }),
      goneTitle: t('This link no longer works'),
      gone: t('It has expired, or the subscription has ended. You can subscribe again.'),
    },
    /** Around posts in messages to subscribers, and of the form that takes an address. */
    notices: {
      /** The words for a page whose name has no letters. */
      nameless: t('without a name'),
      affected: t('Affected'),
      because: (page: string) => t('You get this because you subscribed to updates of {page}.', { page }),
      manage: t('Change or end your subscription'),
      confirmTitle: (page: string) => t('Confirm your subscription to {page}', { page }),
      confirm: (page: string) =>
        t(
          'Somebody asked for updates of {page} to be sent to this address. Open the link and confirm, within a week. If it was not you, ignore this message: nothing will be sent.',
          { page },
        ),
      /** To somebody who subscribed before. */
      known: (page: string) =>
        t(
          'Somebody asked for updates of {page} to be sent to this address, which gets them already. The link leads to your subscription.',
          { page },
        ),
      wrongEmail: t('Enter an e-mail address such as name@example.com.'),
      wrongUrl: t('Enter a public address such as https://example.com/hook.'),
    },
  }
}
