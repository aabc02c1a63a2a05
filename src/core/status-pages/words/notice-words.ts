import type { PageLanguage } from '../status-page.ts'

/** Words around posts in messages to subscribers, and of the form that takes an address. */
export type NoticeWords = {
  affected: string
  because: (page: string) => string
  manage: string
  confirmTitle: (page: string) => string
  confirm: (page: string) => string
  /** To somebody who subscribed before. */
  known: (page: string) => string
  wrongEmail: string
  wrongUrl: string
}

export const NOTICE_WORDS: Record<PageLanguage, NoticeWords> = {
  en: {
    affected: 'Affected',
    because: (page) => `You get this because you subscribed to updates of ${page}.`,
    manage: 'Change or end your subscription',
    confirmTitle: (page) => `Confirm your subscription to ${page}`,
    confirm: (page) =>
      `Somebody asked for updates of ${page} to be sent to this address. Open the link and confirm, within a week. If it was not you, ignore this message: nothing will be sent.`,
    known: (page) =>
      `Somebody asked for updates of ${page} to be sent to this address, which gets them already. The link leads to your subscription.`,
    wrongEmail: 'Enter an e-mail address such as name@example.com.',
    wrongUrl: 'Enter a public address such as https://example.com/hook.',
  },
  de: {
    affected: 'Betroffen',
    because: (page) => `Sie erhalten dies, weil Sie Meldungen von ${page} abonniert haben.`,
    manage: 'Abonnement ändern oder beenden',
    confirmTitle: (page) => `Bestätigen Sie Ihr Abonnement von ${page}`,
    confirm: (page) =>
      `Jemand möchte, dass Meldungen von ${page} an diese Adresse gehen. Öffnen Sie den Link und bestätigen Sie es innerhalb einer Woche. Waren Sie es nicht, dann beachten Sie diese Nachricht nicht: Es wird nichts gesendet.`,
    known: (page) =>
      `Jemand möchte, dass Meldungen von ${page} an diese Adresse gehen; sie erhält sie bereits. Der Link führt zu Ihrem Abonnement.`,
    wrongEmail: 'Geben Sie eine E-Mail-Adresse wie name@example.com ein.',
    wrongUrl: 'Geben Sie eine öffentliche Adresse wie https://example.com/hook ein.',
  },
  fr: {
    affected: 'Concerné',
    because: (page) => `Vous recevez ce message car vous suivez les nouvelles de ${page}.`,
    manage: 'Modifier ou résilier votre abonnement',
    confirmTitle: (page) => `Confirmez votre abonnement à ${page}`,
    confirm: (page) =>
      `Quelqu’un a demandé l’envoi des nouvelles de ${page} à cette adresse. Ouvrez le lien et confirmez, dans un délai d’une semaine. Si ce n’était pas vous, ignorez ce message : rien ne sera envoyé.`,
    known: (page) =>
      `Quelqu’un a demandé l’envoi des nouvelles de ${page} à cette adresse, qui les reçoit déjà. Le lien mène à votre abonnement.`,
    wrongEmail: 'Saisissez une adresse e-mail telle que nom@example.com.',
    wrongUrl: 'Saisissez une adresse publique telle que https://example.com/hook.',
  },
  es: {
    affected: 'Afectado',
    because: (page) => `Recibe este mensaje porque se suscribió a las novedades de ${page}.`,
    manage: 'Cambiar o cancelar su suscripción',
    confirmTitle: (page) => `Confirme su suscripción a ${page}`,
    confirm: (page) =>
      `Alguien pidió que las novedades de ${page} se envíen a esta dirección. Abra el enlace y confirme en el plazo de una semana. Si no fue usted, ignore este mensaje: no se enviará nada.`,
    known: (page) =>
      `Alguien pidió que las novedades de ${page} se envíen a esta dirección, que ya las recibe. El enlace lleva a su suscripción.`,
    wrongEmail: 'Escriba una dirección de correo como nombre@example.com.',
    wrongUrl: 'Escriba una dirección pública como https://example.com/hook.',
  },
  pt: {
    affected: 'Afetado',
    because: (page) => `Recebe esta mensagem porque subscreveu as novidades de ${page}.`,
    manage: 'Alterar ou cancelar a sua subscrição',
    confirmTitle: (page) => `Confirme a sua subscrição de ${page}`,
    confirm: (page) =>
      `Alguém pediu que as novidades de ${page} sejam enviadas para este endereço. Abra a ligação e confirme, no prazo de uma semana. Se não foi você, ignore esta mensagem: nada será enviado.`,
    known: (page) =>
      `Alguém pediu que as novidades de ${page} sejam enviadas para este endereço, que já as recebe. A ligação leva à sua subscrição.`,
    wrongEmail: 'Introduza um endereço de e-mail como nome@example.com.',
    wrongUrl: 'Introduza um endereço público como https://example.com/hook.',
  },
  ja: {
    affected: '影響',
    because: (page) => `${page}の更新情報を購読しているため、このメッセージをお送りしています。`,
    manage: '購読の変更または解除',
    confirmTitle: (page) => `${page}の購読の確認`,
    confirm: (page) =>
      `${page}の更新情報をこのアドレスに送るよう申し込みがありました。1週間以内にリンクを開いて確認してください。心当たりがない場合は無視してください。何も送信されません。`,
    known: (page) =>
      `${page}の更新情報をこのアドレスに送るよう申し込みがありましたが、すでに購読中です。リンク先で購読を管理できます。`,
    wrongEmail: 'name@example.com のようなメールアドレスを入力してください。',
    wrongUrl: 'https://example.com/hook のような公開アドレスを入力してください。',
  },
}
